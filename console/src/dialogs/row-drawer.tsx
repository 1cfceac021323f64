import { Drawer, type DrawerProps } from 'antd';
import { useIsNarrow } from '../appearance/use-media.ts';

type RowDrawerProps = Pick<
  DrawerProps,
  'title' | 'extra' | 'styles' | 'onClose' | 'children' | 'aria-labelledby'
> & {
  /** Pixels, where the window has room for a list beside it. */
  readonly width: number;
};

/** What a row of a list is about, beside the list, which stays in reach; Escape is the list's. */
export function RowDrawer({ width, ...rest }: RowDrawerProps) {
  const narrow = useIsNarrow();
  return <Drawer open size={narrow ? '100%' : width} mask={false} keyboard={false} {...rest} />;
}
