import encodeQR from 'qr';

/** White modules that scanners need around the code (ISO/IEC 18004). */
const QUIET = 4;

export interface Qr {
  /** Modules per side, quiet zone included. */
  readonly side: number;
  /** SVG path of the dark modules: one bar for each run in a row. */
  readonly path: string;
}

export function drawQr(text: string): Qr {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border: QUIET });
  let path = '';
  for (const [row, modules] of rows.entries()) {
    for (let column = 0; column < modules.length; column += 1) {
      const start = column;
      while (modules[column]) column += 1;
      if (column > start) path += `M${start} ${row}h${column - start}v1H${start}z`;
    }
  }
  return { side: rows.length, path };
}

/** Width in CSS pixels near `wanted` that gives every module the same whole number of pixels: crisp at any density. */
export function crispWidth(side: number, wanted: number): number {
  return side * Math.max(1, Math.floor(wanted / side));
}
