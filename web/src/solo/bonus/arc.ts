/** The outline of a slice between two angles, clockwise from the top, around the origin. */
export function slicePath(from: number, to: number, radius: number): string {
  const point = (angle: number) => {
    const turn = (angle * Math.PI) / 180;
    return `${(radius * Math.sin(turn)).toFixed(3)} ${(-radius * Math.cos(turn)).toFixed(3)}`;
  };
  return `M0 0L${point(from)}A${radius} ${radius} 0 ${to - from > 180 ? 1 : 0} 1 ${point(to)}Z`;
}
