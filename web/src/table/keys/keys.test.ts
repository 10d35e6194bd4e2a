import { beforeEach, describe, expect, it } from "vitest";
import { type Desk, HOLD, isUndo, keyName, Keys, nearest, type Stroke } from "./keys";

let done: string[];
let away: boolean;
let onButton: boolean;
let timers: { act: () => void; milliseconds: number }[];
let keys: Keys;

function stroke(key: string, held: Partial<Stroke> = {}): Stroke {
  const none = { repeat: false, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false };
  return { key, ...none, preventDefault: () => done.push("kept"), ...held };
}

beforeEach(() => {
  done = [];
  timers = [];
  away = onButton = false;
  const desk: Desk = {
    away: () => away,
    onButton: () => onButton,
    press: (name) => done.push(`press ${name}`) > 0 && name !== "q",
    repeat: () => done.push("repeat"),
    undo: () => done.push("undo"),
    clear: () => done.push("clear"),
    move: (direction) => done.push(`move ${direction}`) > 0,
  };
  keys = new Keys(desk, (act, milliseconds) => {
    const timer = { act, milliseconds };
    timers.push(timer);
    return () => (timers = timers.filter((other) => other !== timer));
  });
});

describe("keys at a table (PLT-45)", () => {
  it("press the buttons that carry them", () => {
    keys.down(stroke("C"));
    keys.down(stroke("S", { shiftKey: true }));
    keys.down(stroke("3"));
    keys.down(stroke("q"));
    expect(done).toEqual(["press c", "kept", "press shift+s", "kept", "press 3", "kept", "press q"]);
  });

  it("hold nothing once the page has lost the keyboard", () => {
    keys.down(stroke("Backspace"));
    keys.letGo();
    expect(timers).toEqual([]);
    keys.down(stroke("Backspace"));
    expect(done.filter((act) => act === "undo")).toHaveLength(2);
  });

  it("leave combinations to the browser", () => {
    expect(keyName(stroke("c", { ctrlKey: true }))).toBeNull();
    expect(keyName(stroke("F5"))).toBeNull();
    expect(isUndo(stroke("z"))).toBe(false);
    expect(isUndo(stroke("z", { ctrlKey: true, shiftKey: true }))).toBe(false);
  });

  it.each([
    stroke("z", { ctrlKey: true }),
    stroke("z", { metaKey: true }),
    stroke("Delete"),
    stroke("Backspace"),
  ])("undo at once, and held three seconds clear all", (press) => {
    const down = { ...press, preventDefault: () => undefined };
    keys.down(down);
    keys.down({ ...down, repeat: true });
    expect(done).toEqual(["undo"]);
    expect(timers.map(({ milliseconds }) => milliseconds)).toEqual([HOLD]);
    timers[0]?.act();
    expect(done).toEqual(["undo", "clear"]);
    keys.up(down);
    keys.down(down);
    keys.up(down);
    expect(done).toEqual(["undo", "clear", "undo"]);
    expect(timers.map(({ milliseconds }) => milliseconds)).not.toHaveLength(2);
  });

  it("repeat with space, unless it is for the button the keyboard stands on", () => {
    keys.down(stroke(" "));
    keys.up(stroke(" "));
    expect(done).toEqual(["kept", "repeat", "kept"]);
    onButton = true;
    keys.down(stroke(" "));
    keys.up(stroke(" "));
    expect(done).toHaveLength(3);
  });

  it("press once however long they are held", () => {
    keys.down(stroke("Enter"));
    keys.down(stroke("c", { repeat: true }));
    expect(done).toEqual([]);
    keys.down(stroke("Enter", { repeat: true }));
    away = true;
    keys.down(stroke("Enter", { repeat: true }));
    expect(done).toEqual(["kept", "kept"]);
  });

  it("do nothing while a dialog is open", () => {
    away = true;
    for (const key of [" ", "c", "Delete", "ArrowLeft"]) keys.down(stroke(key));
    expect(done).toEqual([]);
  });

  it("clear nothing once a window has been opened while undo is held (PLT-68)", () => {
    keys.down(stroke("Backspace"));
    away = true;
    timers[0]?.act();
    expect(done).not.toContain("clear");
  });

  it("go from place to place", () => {
    keys.down(stroke("ArrowLeft"));
    expect(done).toEqual(["move left", "kept"]);
    const [here, left, under, slanted] = [
      { x: 100, y: 100 },
      { x: 50, y: 100 },
      { x: 100, y: 160 },
      { x: 60, y: 140 },
    ] as const;
    const all = [here, left, under, slanted];
    expect(nearest(here, all, "left")).toBe(left);
    expect(nearest(here, all, "down")).toBe(under);
    expect(nearest(here, all, "up")).toBeNull();
    expect(nearest(under, all, "up")).toBe(here);
  });
});
