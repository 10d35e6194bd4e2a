/** How cards move: from the shoe to their place, over, or aside. Only transform and opacity are animated. */

export type Entrance = "dealt" | "turned" | "slid";

const FLIGHT = 300;
const TURN = 340;
const ASIDE = 160;
const EASE = "cubic-bezier(0.2, 0.7, 0.3, 1)";

/** Bring a card that is in its place from where it comes; resolves when it lies there. */
export async function bring(card: HTMLElement, turner: HTMLElement, how: Entrance, faceUp: boolean): Promise<void> {
  const moves: Animation[] = [];
  if (how === "dealt") {
    // Its place is made in one frame, its face in the next: each is drawn in time.
    card.classList.add("coming");
    const from = await start(card);
    await new Promise(requestAnimationFrame);
    moves.push(fly(card, from));
    if (faceUp) moves.push(turn(turner, FLIGHT * 0.35));
    card.classList.remove("coming");
  } else if (how === "turned") moves.push(turn(turner, 0));
  else moves.push(card.animate([{ transform: "translateX(60%)" }, { transform: "none" }], { duration: TURN, easing: EASE }));
  await Promise.allSettled(moves.map((move) => move.finished));
}

/** The way from a card's place to the shoe. */
function start(card: HTMLElement): Promise<readonly [number, number]> {
  return new Promise((resolve) => {
    const stop = whenLaidOut(card, () => {
      const place = card.getBoundingClientRect();
      const shoe = document.querySelector("[data-shoe]")?.getBoundingClientRect();
      stop();
      return () => resolve(shoe ? [shoe.left - place.left, shoe.top - place.top] : [innerWidth / 4, -place.top]);
    });
  });
}

/** Let cards of a hand glide aside when another comes. */
export function glide(moves: () => boolean): (cards: HTMLElement) => () => void {
  return (cards) => {
    const places = new WeakMap<HTMLElement, Place>();
    return whenLaidOut(cards, () => {
      const slots = [...cards.children].filter((slot) => slot instanceof HTMLElement);
      const now = slots.map((slot) => ({ slot, was: places.get(slot), is: placeOf(slot) }));
      return () => {
        const moving = moves();
        for (const { slot, was, is } of now) {
          places.set(slot, is);
          if (moving && was) slide(slot, was, is);
        }
      };
    });
  };
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

function placeOf({ offsetLeft: x, offsetTop: y, offsetWidth: width }: HTMLElement): Place {
  return { x, y, width };
}

function slide(slot: HTMLElement, was: Place, is: Place): void {
  const [x, y, larger] = [was.x - is.x, was.y - is.y, was.width / is.width];
  if (!x && !y && larger === 1) return;
  const transform = `translate(${x}px, ${y}px) scale(${larger})`;
  slot.animate([{ transform }, { transform: "none" }], { duration: ASIDE, easing: EASE });
}

function fly(card: HTMLElement, [x, y]: readonly [number, number]): Animation {
  return card.animate(
    [
      { transform: `translate(${x}px, ${y}px) rotate(18deg) scale(0.8)`, opacity: 0 },
      { opacity: 1, offset: 0.25 },
      { transform: "none", opacity: 1 },
    ],
    { duration: FLIGHT, easing: EASE },
  );
}

function turn(turner: HTMLElement, delay: number): Animation {
  return turner.animate([{ transform: "rotateY(180deg)" }, { transform: "none" }], {
    duration: TURN,
    delay,
    easing: "ease-in-out",
    fill: "backwards",
  });
}

const readers = new WeakMap<Element, () => () => void>();
let observer: ResizeObserver | undefined;

/**
 * Read places when an element has a new size, and then act on them; gives what ends it. Sizes are told when a frame is
 * laid out and not yet drawn. All is read before anything is written, so that nothing is laid out twice.
 */
function whenLaidOut(element: Element, read: () => () => void): () => void {
  const observing = (observer ??= new ResizeObserver((entries) => {
    const acts = entries.map(({ target }) => readers.get(target)?.());
    for (const act of acts) act?.();
  }));
  readers.set(element, read);
  observing.observe(element);
  return () => observing.unobserve(element);
}
