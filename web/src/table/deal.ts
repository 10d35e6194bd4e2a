/** How cards move: from the shoe to their place, over, or aside. Only transform and opacity are animated. */

export type Entrance = "dealt" | "turned" | "slid";

const FLIGHT = 300;
const TURN = 340;
const EASE = "cubic-bezier(0.2, 0.7, 0.3, 1)";

/** Bring a card that is in its place from where it comes; resolves when it lies there. */
export function bring(card: HTMLElement, turner: HTMLElement, how: Entrance, faceUp: boolean): Promise<unknown> {
  const moves: Animation[] = [];
  if (how === "dealt") moves.push(fly(card));
  if (how === "slid") moves.push(card.animate([{ transform: "translateX(60%)" }, { transform: "none" }], { duration: TURN, easing: EASE }));
  if (how === "turned") moves.push(turn(turner, TURN, 0));
  else if (how === "dealt" && faceUp) moves.push(turn(turner, TURN, FLIGHT * 0.35));
  return Promise.allSettled(moves.map((move) => move.finished));
}

function fly(card: HTMLElement): Animation {
  const place = card.getBoundingClientRect();
  const shoe = document.querySelector("[data-shoe]")?.getBoundingClientRect();
  const [x, y] = shoe ? [shoe.left - place.left, shoe.top - place.top] : [innerWidth / 4, -place.top];
  return card.animate(
    [
      { transform: `translate(${x}px, ${y}px) rotate(18deg) scale(0.8)`, opacity: 0 },
      { opacity: 1, offset: 0.25 },
      { transform: "none", opacity: 1 },
    ],
    { duration: FLIGHT, easing: EASE },
  );
}

function turn(turner: HTMLElement, duration: number, delay: number): Animation {
  return turner.animate([{ transform: "rotateY(180deg)" }, { transform: "none" }], {
    duration,
    delay,
    easing: "ease-in-out",
    fill: "backwards",
  });
}
