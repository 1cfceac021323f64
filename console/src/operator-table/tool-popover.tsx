import { Popover } from 'antd';
import { useRef, type KeyboardEvent, type ReactElement, type ReactNode } from 'react';

interface ToolPopoverProps {
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
  readonly content: ReactNode;
  /** The button that opens it. */
  readonly children: ReactElement;
}

/**
 * A popover beside a button. It stands at the end of the document, so it moves the focus there and back: with Tab alone the user
 * would pass every row of the list first.
 */
export function ToolPopover({ open, onOpen, content, children }: ToolPopoverProps) {
  const opener = useRef<HTMLSpanElement>(null);
  const inside = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    onOpen(false);
    opener.current?.querySelector('button')?.focus();
  };
  return (
    <span ref={opener}>
      <Popover
        trigger="click"
        placement="bottomRight"
        open={open}
        onOpenChange={onOpen}
        afterOpenChange={(isOpen) => {
          if (isOpen) inside.current?.querySelector<HTMLElement>('button, input:enabled')?.focus();
        }}
        content={
          <div ref={inside} onKeyDown={onKeyDown}>
            {content}
          </div>
        }
      >
        {children}
      </Popover>
    </span>
  );
}
