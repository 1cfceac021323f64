import { create } from 'qrcode';

/** Modules of white that scanners need around the code (ISO/IEC 18004). */
const QUIET = 4;

export interface Qr {
  /** Modules on a side, quiet zone included. */
  readonly side: number;
  /** SVG path of the dark modules: one bar for each run in a row. */
  readonly path: string;
}

export function drawQr(text: string): Qr {
  const { data, size } = create(text, { errorCorrectionLevel: 'M' }).modules;
  let path = '';
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const start = column;
      while (column < size && data[row * size + column]) column += 1;
      if (column > start) path += `M${start + QUIET} ${row + QUIET}h${column - start}v1H${start + QUIET}z`;
    }
  }
  return { side: size + 2 * QUIET, path };
}

/** Width in CSS pixels near `wanted` that gives every module the same whole number of pixels: crisp at any density. */
export function crispWidth(side: number, wanted: number): number {
  return side * Math.max(1, Math.floor(wanted / side));
}
