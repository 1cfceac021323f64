import {
  BugOutlined,
  DisconnectOutlined,
  FullscreenExitOutlined,
  FullscreenOutlined,
  GlobalOutlined,
  LaptopOutlined,
  LogoutOutlined,
  MailOutlined,
  MenuFoldOutlined,
  MenuUnfoldOutlined,
  MoonOutlined,
  PushpinFilled,
  PushpinOutlined,
  SearchOutlined,
  SunOutlined,
  UserOutlined,
} from '@ant-design/icons';
import { Badge, Breadcrumb, Button, Tooltip } from 'antd';
import { useSyncExternalStore, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LOCALES } from '@sangam/contract/locale.ts';
import { screenAt } from '@sangam/contract/screens.ts';
import { useUnseenErrors } from '../errors/use-unseen-errors.ts';
import { useInbox } from '../inbox/use-inbox.ts';
import { LANGUAGE_NAMES } from '../language/choice.ts';
import { chooseLanguage } from '../language/language.ts';
import { useNames } from '../language/names.ts';
import { useRealtimeState } from '../realtime/realtime.ts';
import { useViewer } from '../session/viewer.ts';
import { APPEARANCES, appearance as kept, type AppearanceChoice } from '../appearance/appearance.ts';
import { useAppearanceChoice } from '../appearance/use-appearance.ts';
import { ERROR_LOG, HOME, INBOX } from '../navigation/guard.ts';
import { groupOf } from './menu.ts';
import { usePinned } from './use-pinned.ts';
import { placeAt } from '../navigation/place.ts';
import { PopupMenu } from '../dialogs/popup-menu.tsx';
import styles from './shell.module.css';
import { usePlaceTitles, useTitles } from '../navigation/use-titles.ts';

const APPEARANCE_ICONS: Readonly<Record<AppearanceChoice, ReactNode>> = {
  light: <SunOutlined aria-hidden />,
  dark: <MoonOutlined aria-hidden />,
  system: <LaptopOutlined aria-hidden />,
};

function LanguageSwitch() {
  const { t, i18n } = useTranslation();
  return (
    <PopupMenu
      menu={{
        selectable: true,
        selectedKeys: [i18n.language],
        items: LOCALES.map((locale) => ({
          key: locale,
          label: <span lang={locale}>{LANGUAGE_NAMES[locale]}</span>,
        })),
        onClick: ({ key }) => {
          const locale = LOCALES.find((known) => known === key);
          if (locale) void chooseLanguage(locale);
        },
      }}
    >
      <Button type="text" icon={<GlobalOutlined />} aria-label={t('shell.language')} />
    </PopupMenu>
  );
}

function AppearanceSwitch() {
  const { t } = useTranslation();
  const choice = useAppearanceChoice();
  return (
    <PopupMenu
      menu={{
        selectable: true,
        selectedKeys: [choice],
        items: APPEARANCES.map((appearance) => ({
          key: appearance,
          icon: APPEARANCE_ICONS[appearance],
          label: t(`shell.appearances.${appearance}`),
          onClick: () => kept.choose(appearance),
        })),
      }}
    >
      <Button type="text" icon={APPEARANCE_ICONS[choice]} aria-label={t('shell.appearance')} />
    </PopupMenu>
  );
}

function FullscreenSwitch() {
  const { t } = useTranslation();
  // Read from the document: a flag of our own would be wrong after Esc.
  const full = useSyncExternalStore(
    (listener) => {
      document.addEventListener('fullscreenchange', listener);
      return () => document.removeEventListener('fullscreenchange', listener);
    },
    () => document.fullscreenElement !== null,
  );
  const label = full ? t('shell.leaveFullscreen') : t('shell.fullscreen');
  return (
    <Tooltip title={label}>
      <Button
        type="text"
        className={styles['wideOnly'] ?? ''}
        icon={full ? <FullscreenExitOutlined /> : <FullscreenOutlined />}
        aria-label={label}
        onClick={() => void (full ? document.exitFullscreen() : document.documentElement.requestFullscreen())}
      />
    </Tooltip>
  );
}

/** Opens the error log. A dot says that there are new errors. */
function BugButton({ onGo }: { readonly onGo: (path: string) => void }) {
  const { t } = useTranslation();
  const unseen = useUnseenErrors();
  const label = unseen ? t('shell.newErrors') : t('titles./error_logger_page');
  return (
    <Tooltip title={label}>
      <Badge dot={unseen} offset={[-8, 8]}>
        <Button
          type="text"
          className={styles['wideOnly'] ?? ''}
          icon={<BugOutlined />}
          aria-label={label}
          onClick={() => onGo(ERROR_LOG)}
        />
      </Badge>
    </Tooltip>
  );
}

/** Says that the realtime connection is away: lists are then only as new as their last poll. */
function LiveState() {
  const { t } = useTranslation();
  const state = useRealtimeState();
  if (state !== 'error' && state !== 'closed') return null;
  return (
    <Tooltip title={t('shell.notLive')}>
      <DisconnectOutlined className={styles['notLive']} role="status" aria-label={t('shell.notLive')} />
    </Tooltip>
  );
}

/** Home, the menu group, and the current page, which can be pinned to the menu. */
function Crumbs({ path, onGo }: { readonly path: string; readonly onGo: (path: string) => void }) {
  const { t } = useTranslation();
  const title = useTitles();
  const placeTitle = usePlaceTitles();
  const place = placeAt(path);
  const group = place && groupOf(place.screen);
  const home = screenAt(HOME)!;
  const link = (
    <a
      href={HOME}
      onClick={(event) => {
        event.preventDefault();
        onGo(HOME);
      }}
    >
      {title(home)}
    </a>
  );
  const crumbs = [
    { key: HOME, title: path === HOME ? title(home) : link },
    ...(group && path !== HOME ? [{ key: group, title: t(`menu.${group}`) }] : []),
    ...(place && path !== HOME
      ? [{ key: path, title: <span title={placeTitle(place)}>{placeTitle(place)}</span> }]
      : []),
  ];
  return (
    <>
      <Breadcrumb className={styles['crumbs'] ?? ''} items={crumbs} />
      {group && place?.orderCode === undefined && path !== HOME && <PinSwitch path={path} />}
    </>
  );
}

function PinSwitch({ path }: { readonly path: string }) {
  const { t } = useTranslation();
  const [pinned, setPinned] = usePinned();
  const isPinned = pinned.includes(path);
  const label = t(isPinned ? 'menu.unpin' : 'menu.pin');
  return (
    <Tooltip title={label}>
      <Button
        type="text"
        size="small"
        className={styles['wideOnly'] ?? ''}
        icon={isPinned ? <PushpinFilled /> : <PushpinOutlined />}
        aria-label={label}
        aria-pressed={isPinned}
        onClick={() => setPinned(isPinned ? pinned.filter((each) => each !== path) : [...pinned, path])}
      />
    </Tooltip>
  );
}

interface HeaderBarProps {
  readonly path: string;
  readonly collapsed: boolean;
  readonly onToggleMenu: () => void;
  readonly onGo: (path: string) => void;
  readonly onPalette: () => void;
  readonly onSignOut: () => void;
  /** The notice about new orders. */
  readonly notifier: ReactNode;
}

export function HeaderBar(props: HeaderBarProps) {
  const { path, collapsed, onToggleMenu, onGo, onPalette, onSignOut, notifier } = props;
  const { t } = useTranslation();
  const viewer = useViewer();
  const name = useNames();
  const unread = useInbox().data?.unreadCount ?? viewer.unreadCount;
  return (
    <header className={styles['header']}>
      <Button
        type="text"
        icon={collapsed ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />}
        aria-label={collapsed ? t('shell.openMenu') : t('shell.closeMenu')}
        aria-expanded={!collapsed}
        onClick={onToggleMenu}
      />
      <Crumbs path={path} onGo={onGo} />
      <div className={styles['headerTools']}>
        {notifier}
        <LiveState />
        <Tooltip title={t('palette.open')}>
          <Button
            type="text"
            icon={<SearchOutlined />}
            aria-label={t('palette.title')}
            aria-keyshortcuts="Control+K"
            onClick={onPalette}
          />
        </Tooltip>
        <FullscreenSwitch />
        <BugButton onGo={onGo} />
        <LanguageSwitch />
        <AppearanceSwitch />
        <PopupMenu
          placement="bottomRight"
          menu={{
            items: [
              {
                key: 'who',
                type: 'group',
                label: `${viewer.account} · ${name('roles', viewer.access)}`,
              },
              {
                key: 'inbox',
                icon: <MailOutlined aria-hidden />,
                label: (
                  <>
                    {t('inbox.title')} <Badge count={unread} size="small" />
                  </>
                ),
                onClick: () => onGo(INBOX),
              },
              {
                key: 'signOut',
                icon: <LogoutOutlined aria-hidden />,
                label: t('shell.signOut'),
                onClick: onSignOut,
              },
            ],
          }}
        >
          <Button
            type="text"
            icon={
              <Badge dot={unread > 0} title={t('inbox.unread', { count: unread })}>
                <UserOutlined />
              </Badge>
            }
            aria-label={t('shell.userMenu', { name: viewer.name })}
            {...(unread > 0 ? { 'aria-description': t('inbox.unread', { count: unread }) } : {})}
          >
            <span className={styles['wideOnly']}>{viewer.name}</span>
          </Button>
        </PopupMenu>
      </div>
    </header>
  );
}
