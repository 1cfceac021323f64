import {
  ApiOutlined,
  BarChartOutlined,
  CarryOutOutlined,
  DiffOutlined,
  FileTextOutlined,
  MobileOutlined,
  PushpinOutlined,
  SearchOutlined,
  SettingOutlined,
  TeamOutlined,
  WalletOutlined,
} from '@ant-design/icons';
import { Badge, Input, Menu, type MenuProps } from 'antd';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Screen } from '@sangam/contract/screens.ts';
import { placeAt } from '../navigation/place.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { usePreference } from '../session/preference.ts';
import { useViewer } from '../session/viewer.ts';
import { groupOf, menuOf, type GroupName, type MenuGroup } from './menu.ts';
import styles from './shell.module.css';
import { useMenuCounts } from './use-menu-counts.ts';
import { isTexts, usePinned } from './use-pinned.ts';

const ICONS: Readonly<Record<GroupName, ReactNode>> = {
  work: <CarryOutOutlined aria-hidden />,
  orders: <FileTextOutlined aria-hidden />,
  reconcile: <DiffOutlined aria-hidden />,
  money: <WalletOutlined aria-hidden />,
  parties: <TeamOutlined aria-hidden />,
  channels: <ApiOutlined aria-hidden />,
  devices: <MobileOutlined aria-hidden />,
  reports: <BarChartOutlined aria-hidden />,
  admin: <SettingOutlined aria-hidden />,
};

/** The largest number of screens with which a menu fits the window with all groups open. */
const FITS = 21;
const OPEN_AT_FIRST: readonly string[] = ['pinned', 'work', 'orders'];
/** Prefix of the keys of pinned screens, because each is also in its group. */
const PIN = 'pin:';

interface SideMenuProps {
  readonly path: string;
  readonly collapsed: boolean;
  readonly onGo: (path: string) => void;
}

/** The role's menu in groups. Groups stay open or closed as the user left them; the group of the current screen opens. */
export function SideMenu({ path, collapsed, onGo }: SideMenuProps) {
  const { t } = useTranslation();
  const title = useTitles();
  const [text, setText] = useState('');
  const groups = menuOf(useViewer().access);
  const screens = groups.flatMap((group) => group.screens);
  const screen = placeAt(path)?.screen;
  const { open, setOpen } = useOpenGroups(screen, groups);
  const counts = useMenuCounts();
  const [pinned] = usePinned();
  const { box, showSelected } = useSelectedInSight(path, open);

  const item = (each: Screen, key = each.path) => {
    const count = counts.get(each.path) ?? 0;
    return {
      key,
      label: title(each),
      extra: <Badge count={count} overflowCount={999} size="small" color="var(--text-soft)" />,
    };
  };
  const grouped: NonNullable<MenuProps['items']> = groups.map(({ name, screens: own }) => ({
    key: name,
    icon: ICONS[name],
    label: t(`menu.${name}`),
    children: own.map((each) => item(each)),
  }));
  const favourites = screens.filter((each) => pinned.includes(each.path));
  if (favourites.length > 0)
    grouped.unshift({
      key: 'pinned',
      icon: <PushpinOutlined aria-hidden />,
      label: t('menu.pinned'),
      children: favourites.map((each) => item(each, PIN + each.path)),
    });
  const wanted = text.trim().toLocaleLowerCase();
  const found = screens.filter((each) => title(each).toLocaleLowerCase().includes(wanted));
  const go = (to: string) => {
    setText('');
    onGo(to);
  };

  return (
    <div ref={box} onTransitionEnd={({ propertyName }) => propertyName === 'height' && showSelected()}>
      {!collapsed && (
        <div className={styles['menuSearch']}>
          <Input
            prefix={<SearchOutlined aria-hidden />}
            placeholder={t('menu.find')}
            aria-label={t('menu.find')}
            allowClear
            value={text}
            onChange={({ target }) => setText(target.value)}
            onPressEnter={() => wanted !== '' && found[0] && go(found[0].path)}
            onKeyDown={({ key }) => key === 'Escape' && setText('')}
          />
        </div>
      )}
      <Menu
        mode="inline"
        inlineIndent={16}
        inlineCollapsed={collapsed}
        items={wanted === '' ? grouped : found.map((each) => item(each))}
        selectedKeys={screen ? [screen.path, PIN + screen.path] : []}
        // A collapsed menu opens its groups as fly-outs by itself.
        {...(collapsed ? {} : { openKeys: [...open], onOpenChange: setOpen })}
        onClick={({ key }) => go(key.replace(PIN, ''))}
        style={{ borderInlineEnd: 0 }}
      />
    </div>
  );
}

function useOpenGroups(screen: Screen | undefined, groups: readonly MenuGroup[]) {
  const screens = groups.flatMap((each) => each.screens).length;
  const [open, setOpen] = usePreference<readonly string[]>(
    'menuOpen',
    screens > FITS ? OPEN_AT_FIRST : ['pinned', ...groups.map(({ name }) => name)],
    isTexts,
  );
  const group = screen && groupOf(screen);
  const latest = useRef(open);
  useEffect(() => {
    latest.current = open;
  });
  useEffect(() => {
    if (group && !latest.current.includes(group)) setOpen([...latest.current, group]);
  }, [group, setOpen]);
  return { open, setOpen };
}

/**
 * Scrolls to the selected item when the page changes or a group opens. With animations, `showSelected` is called again after the
 * group has unfolded.
 */
function useSelectedInSight(path: string, open: readonly string[]) {
  const box = useRef<HTMLDivElement>(null);
  const showSelected = () => {
    const selected = box.current?.querySelectorAll('.ant-menu-item-selected');
    selected?.[selected.length - 1]?.scrollIntoView({ block: 'nearest' });
  };
  useEffect(showSelected, [path, open]);
  return { box, showSelected };
}
