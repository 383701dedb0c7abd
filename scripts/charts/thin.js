// Leaves out points that would lie on another one.

/** Pixels: the size of a point of a crowd. */
export const POINT = 3;

/** Of `x, y, x, y, …` one point for each square of the picture that has any. */
export function thin(pairs, width, height) {
  const [across, up] = [range(pairs, 0), range(pairs, 1)];
  const columns = Math.ceil(width / POINT) + 1;
  const rows = Math.ceil(height / POINT) + 1;
  const taken = new Uint8Array(columns * rows);
  const out = new Float64Array(pairs.length);
  let length = 0;
  for (let at = 0; at < pairs.length; at += 2) {
    const x = pairs[at];
    const y = pairs[at + 1];
    const column = Math.floor(((x - across.low) / across.size) * (columns - 1));
    const square = Math.floor(((y - up.low) / up.size) * (rows - 1)) * columns + column;
    // A point without a number has no square.
    if (taken[square] !== 0) continue;
    taken[square] = 1;
    out[length] = x;
    out[length + 1] = y;
    length += 2;
  }
  return out.subarray(0, length);
}

function range(pairs, from) {
  let low = Infinity;
  let high = -Infinity;
  for (let at = from; at < pairs.length; at += 2) {
    if (pairs[at] < low) low = pairs[at];
    if (pairs[at] > high) high = pairs[at];
  }
  return { low, size: high - low || 1 };
}
