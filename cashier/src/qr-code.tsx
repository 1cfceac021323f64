import { useMemo } from 'preact/hooks';
import { crispWidth, drawQr } from './qr.ts';

/** Fits a phone 360 px wide, with margins. */
const WANTED_WIDTH = 272;

/** Always dark on white: scanners fail on inverted codes, also in dark mode. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { side, path } = useMemo(() => drawQr(text), [text]);
  const width = crispWidth(side, WANTED_WIDTH);
  return (
    <svg
      class="qr"
      role="img"
      aria-label={label}
      width={width}
      height={width}
      viewBox={`0 0 ${side} ${side}`}
      shape-rendering="crispEdges"
    >
      <rect width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
