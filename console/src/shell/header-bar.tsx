import {
  FullscreenExitOutlined,
  FullscreenOutlined,
  GlobalOutlined,
  LaptopOutlined,
  LogoutOutlined,
  MenuFoldOutlined,
  MenuUnfoldOutlined,
  MoonOutlined,
  SunOutlined,
  UserOutlined,
} from '@ant-design/icons';
import { Breadcrumb, Button, Dropdown, Tooltip } from 'antd';
import { useSyncExternalStore, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LOCALES } from '@sangam/contract/locale.ts';
import { screenAt } from '@sangam/contract/screens.ts';
import { chooseLanguage, LANGUAGE_NAMES } from '../language/language.ts';
import { useNames } from '../language/names.ts';
import { useViewer } from '../session/viewer.ts';
import { APPEARANCES, chooseAppearance, useAppearanceChoice, type AppearanceChoice } from './appearance.ts';
import { HOME } from './guard.ts';
import { groupOf, menuOf } from './menu.ts';
import styles from './shell.module.css';
import { useTitles } from './use-titles.ts';

const APPEARANCE_ICONS: Readonly<Record<AppearanceChoice, ReactNode>> = {
  light: <SunOutlined aria-hidden />,
  dark: <MoonOutlined aria-hidden />,
  system: <LaptopOutlined aria-hidden />,
};

export function LanguageSwitch() {
  const { t, i18n } = useTranslation();
  return (
    <Dropdown
      trigger={['click']}
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
    </Dropdown>
  );
}

export function AppearanceSwitch() {
  const { t } = useTranslation();
  const choice = useAppearanceChoice();
  return (
    <Dropdown
      trigger={['click']}
      menu={{
        selectable: true,
        selectedKeys: [choice],
        items: APPEARANCES.map((appearance) => ({
          key: appearance,
          icon: APPEARANCE_ICONS[appearance],
          label: t(`shell.appearances.${appearance}`),
          onClick: () => chooseAppearance(appearance),
        })),
      }}
    >
      <Button type="text" icon={APPEARANCE_ICONS[choice]} aria-label={t('shell.appearance')} />
    </Dropdown>
  );
}

function FullscreenSwitch() {
  const { t } = useTranslation();
  // The document knows; a flag of our own would drift when Esc is pressed.
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

interface HeaderBarProps {
  readonly path: string;
  readonly collapsed: boolean;
  readonly onToggleMenu: () => void;
  readonly onGo: (path: string) => void;
  readonly onSignOut: () => void;
}

export function HeaderBar({ path, collapsed, onToggleMenu, onGo, onSignOut }: HeaderBarProps) {
  const { t } = useTranslation();
  const viewer = useViewer();
  const name = useNames();
  const title = useTitles();
  const screen = screenAt(path);
  const group = screen && menuOf(viewer.access).find(({ area }) => area === groupOf(screen));
  const home = screenAt(HOME);
  const crumbs = [
    ...(home
      ? [
          {
            key: HOME,
            title:
              path === HOME ? (
                title(home)
              ) : (
                <a
                  href={HOME}
                  onClick={(event) => {
                    event.preventDefault();
                    onGo(HOME);
                  }}
                >
                  {title(home)}
                </a>
              ),
          },
        ]
      : []),
    ...(group && group.screens.length > 1 ? [{ key: group.area, title: name('areas', group.area) }] : []),
    ...(screen && path !== HOME ? [{ key: path, title: title(screen) }] : []),
  ];
  return (
    <header className={styles['header']}>
      <Button
        type="text"
        icon={collapsed ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />}
        aria-label={collapsed ? t('shell.openMenu') : t('shell.closeMenu')}
        aria-expanded={!collapsed}
        onClick={onToggleMenu}
      />
      <Breadcrumb className={styles['crumbs'] ?? ''} items={crumbs} />
      <div className={styles['headerTools']}>
        <FullscreenSwitch />
        <LanguageSwitch />
        <AppearanceSwitch />
        <Dropdown
          trigger={['click']}
          placement="bottomRight"
          menu={{
            items: [
              {
                key: 'who',
                type: 'group',
                label: `${viewer.account} · ${name('roles', viewer.access)}`,
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
          <Button type="text" icon={<UserOutlined />} aria-label={t('shell.userMenu', { name: viewer.name })}>
            <span className={styles['wideOnly']}>{viewer.name}</span>
          </Button>
        </Dropdown>
      </div>
    </header>
  );
}
