/** Where a window that moves and grows stands: always within the page, never smaller than it can be used. */

export interface Placement {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Room {
  readonly width: number;
  readonly height: number;
}

const LEAST: Room = { width: 220, height: 180 };

function within(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, Math.max(least, most)));
}

/** The frame moved into the room it has. */
export function fit(frame: Placement, room: Room): Placement {
  const width = within(frame.width, Math.min(LEAST.width, room.width), room.width);
  const height = within(frame.height, Math.min(LEAST.height, room.height), room.height);
  return { width, height, x: within(frame.x, 0, room.width - width), y: within(frame.y, 0, room.height - height) };
}

export function moved(frame: Placement, dx: number, dy: number, room: Room): Placement {
  return fit({ ...frame, x: frame.x + dx, y: frame.y + dy }, room);
}

/** Larger or smaller, from its lower right corner; it stays where it is. */
export function resized(frame: Placement, dx: number, dy: number, room: Room): Placement {
  const width = within(frame.width + dx, Math.min(LEAST.width, room.width), room.width - frame.x);
  const height = within(frame.height + dy, Math.min(LEAST.height, room.height), room.height - frame.y);
  return { ...frame, width, height };
}

/** Where it stands first: beside the presenter on a large page, to the right if `aside`; over the middle of a small one. */
export function first(room: Room, aside = false): Placement {
  if (room.width < 768) return fit({ x: 8, y: 84, width: room.width - 16, height: room.height * 0.36 }, room);
  const width = 290;
  return fit({ x: aside ? room.width - width - 16 : 16, y: aside ? 200 : 130, width, height: 190 }, room);
}

/** Enlarged: as high as the page, on its left side. */
export function enlarged(room: Room): Placement {
  return fit({ x: 8, y: 56, width: Math.min(420, room.width - 16), height: room.height - 64 }, room);
}
