import { useRef } from 'react';
import styles from './list-table.module.css';

/** A narrower column would show nothing. */
const LEAST_PX = 32;
const MOST_PX = 800;

interface WidthHandleProps {
  /** Width of the cells' content in pixels; undefined fits the column to its content. */
  readonly onWidth: (pixels: number | undefined) => void;
}

/** The edge of a column's head. Dragging sets the width; a double click resets it. */
export function WidthHandle({ onWidth }: WidthHandleProps) {
  const start = useRef<number>(undefined);
  return (
    <span
      aria-hidden
      className={styles['widthHandle']}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={() => onWidth(undefined)}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = event.clientX;
      }}
      onPointerMove={(event) => {
        // Only the line moves while dragging: redrawing all rows for each pixel would lag behind the pointer.
        if (start.current !== undefined)
          event.currentTarget.style.translate = `${event.clientX - start.current}px 0`;
      }}
      onPointerUp={(event) => {
        const handle = event.currentTarget;
        const head = handle.closest('th');
        const moved = event.clientX - (start.current ?? event.clientX);
        start.current = undefined;
        handle.style.translate = '';
        if (!head || moved === 0) return;
        const { paddingLeft, paddingRight } = getComputedStyle(head);
        const content = head.offsetWidth - parseInt(paddingLeft, 10) - parseInt(paddingRight, 10);
        onWidth(Math.round(Math.min(MOST_PX, Math.max(LEAST_PX, content + moved))));
      }}
    />
  );
}
