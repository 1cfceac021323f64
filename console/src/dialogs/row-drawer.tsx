import { DownOutlined, UpOutlined } from '@ant-design/icons';
import { Button, Drawer, type DrawerProps } from 'antd';
import { use } from 'react';
import { useTranslation } from 'react-i18next';
import { useIsNarrow } from '../appearance/use-media.ts';
import { RowWalkContext } from './row-walk.ts';

type RowDrawerProps = Pick<
  DrawerProps,
  'title' | 'extra' | 'styles' | 'onClose' | 'children' | 'aria-labelledby'
> & {
  /** Pixels. Used where the window has room for a list beside the drawer. */
  readonly width: number;
};

/** The drawer of a row, beside its list, with buttons to the rows before and after. The list stays usable and handles Escape. */
export function RowDrawer({ width, extra, ...rest }: RowDrawerProps) {
  const narrow = useIsNarrow();
  return (
    <Drawer
      open
      size={narrow ? '100%' : width}
      mask={false}
      keyboard={false}
      extra={
        <>
          <WalkButtons />
          {extra}
        </>
      }
      {...rest}
    />
  );
}

function WalkButtons() {
  const { t } = useTranslation();
  const walk = use(RowWalkContext);
  if (!walk) return null;
  const steps = [
    ['previous', t('list.previousRow'), <UpOutlined key="up" aria-hidden />],
    ['next', t('list.nextRow'), <DownOutlined key="down" aria-hidden />],
  ] as const;
  return steps.map(([step, label, icon]) => (
    <Button
      key={step}
      type="text"
      size="small"
      icon={icon}
      aria-label={label}
      title={label}
      disabled={!walk[step]}
      onClick={walk[step]}
    />
  ));
}
