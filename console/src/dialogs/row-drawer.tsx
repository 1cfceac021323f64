import { Drawer, type DrawerProps } from 'antd';
import { useIsNarrow } from '../appearance/use-media.ts';

type RowDrawerProps = Pick<
  DrawerProps,
  'title' | 'extra' | 'styles' | 'onClose' | 'children' | 'aria-labelledby'
> & {
  /** Pixels, where the window has room for a list beside it. */
  readonly width: number;
};

/** A drawer for a row, beside its list. The list stays usable, and the list handles Escape. */
export function RowDrawer({ width, ...rest }: RowDrawerProps) {
  const narrow = useIsNarrow();
  return <Drawer open size={narrow ? '100%' : width} mask={false} keyboard={false} {...rest} />;
}
