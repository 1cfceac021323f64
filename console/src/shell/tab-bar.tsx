import { CloseOutlined, DownOutlined, LeftOutlined, RightOutlined } from '@ant-design/icons';
import { App, Button, type MenuProps } from 'antd';
import { useEffect, useRef, type ComponentProps, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { HOME } from '../navigation/guard.ts';
import { placeAt } from '../navigation/place.ts';
import { PopupMenu } from '../dialogs/popup-menu.tsx';
import styles from './shell.module.css';
import { pathsToClose, type CloseChoice, type Tab } from './tabs.ts';
import { hasUnsaved } from '../navigation/unsaved.ts';
import { usePlaceTitles } from '../navigation/use-titles.ts';

const SCROLL_STEP_PX = 240;

export const tabId = (path: string) => `tab${path.replaceAll('/', '-')}`;
export const panelId = (path: string) => `panel${path.replaceAll('/', '-')}`;

interface TabBarProps {
  readonly tabs: readonly Tab[];
  readonly active: string;
  readonly onGo: (tab: Tab) => void;
  readonly onClose: (paths: readonly string[]) => void;
}

/** Closes tabs. Asks first where there are several tabs, or where typed input would be lost. */
function useClosing(
  titleOf: (path: string) => string,
  onClose: TabBarProps['onClose'],
): TabBarProps['onClose'] {
  const { t } = useTranslation();
  const { modal } = App.useApp();
  return (paths: readonly string[]) => {
    const unsaved = paths.filter(hasUnsaved);
    if (paths.length < 2 && unsaved.length === 0) {
      onClose(paths);
      return;
    }
    void modal.confirm({
      title: paths.length < 2 ? t('tabs.closeOne') : t('tabs.closeMany', { count: paths.length }),
      content:
        unsaved.length > 0 && t('tabs.unsaved', { tabs: unsaved.map((path) => titleOf(path)).join(', ') }),
      okText: paths.length < 2 ? t('tabs.close') : t('tabs.closeManyYes'),
      onOk: () => onClose(paths),
    });
  };
}

export function TabBar({ tabs, active, onGo, onClose }: TabBarProps) {
  const { t } = useTranslation();
  const title = usePlaceTitles();
  const strip = useRef<HTMLDivElement>(null);

  useEffect(() => {
    document
      .getElementById(tabId(active))
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'smooth' });
  }, [active, tabs.length]);

  const titleOf = (path: string) => {
    const place = placeAt(path);
    return place ? title(place) : path;
  };
  const close = useClosing(titleOf, onClose);

  const menuFor = (path: string): MenuProps => {
    const item = (choice: CloseChoice, label: string) => {
      const paths = pathsToClose(tabs, path, choice);
      return { key: choice, label, disabled: paths.length === 0, onClick: () => close(paths) };
    };
    return {
      items: [
        item('this', t('tabs.close')),
        item('others', t('tabs.closeOthers')),
        item('right', t('tabs.closeRight')),
        item('all', t('tabs.closeAll')),
      ],
    };
  };

  const onKey = (event: KeyboardEvent, index: number) => {
    const focus = (to: number) => {
      const target = tabs.at(to % tabs.length);
      if (target) document.getElementById(tabId(target.path))?.focus();
    };
    const tab = tabs[index];
    switch (event.key) {
      case 'ArrowRight':
        focus(index + 1);
        break;
      case 'ArrowLeft':
        focus(index - 1);
        break;
      case 'Home':
        focus(0);
        break;
      case 'End':
        focus(-1);
        break;
      case 'Delete':
        if (tab) close(pathsToClose(tabs, tab.path, 'this'));
        break;
      case 'Enter':
      case ' ':
        if (tab) onGo(tab);
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  const scrollBy = (left: number) => strip.current?.scrollBy({ left, behavior: 'smooth' });

  return (
    <div className={styles['tabBar']}>
      <Button
        type="text"
        size="small"
        icon={<LeftOutlined />}
        aria-label={t('tabs.scrollLeft')}
        onClick={() => scrollBy(-SCROLL_STEP_PX)}
      />
      <div
        ref={strip}
        className={styles['tabStrip']}
        role="tablist"
        aria-label={t('tabs.label')}
        onWheel={(event) => strip.current?.scrollBy({ left: event.deltaY || event.deltaX })}
      >
        {tabs.map((tab, index) => {
          const selected = tab.path === active;
          const closeIt = () => close(pathsToClose(tabs, tab.path, 'this'));
          return (
            <PopupMenu key={tab.path} trigger={['contextMenu']} menu={menuFor(tab.path)}>
              <TabHandle
                path={tab.path}
                selected={selected}
                onClose={closeIt}
                // Where no tab is selected (an error page), the first tab must still be reachable by keyboard.
                tabIndex={selected || (index === 0 && !tabs.some(({ path }) => path === active)) ? 0 : -1}
                className={[styles['tab'], selected && styles['tabSelected']].filter(Boolean).join(' ')}
                onClick={() => onGo(tab)}
                onAuxClick={(event) => event.button === 1 && closeIt()}
                onMouseDown={(event) => event.button === 1 && event.preventDefault()}
                onKeyDown={(event) => onKey(event, index)}
              >
                {titleOf(tab.path)}
              </TabHandle>
            </PopupMenu>
          );
        })}
      </div>
      <Button
        type="text"
        size="small"
        icon={<RightOutlined />}
        aria-label={t('tabs.scrollRight')}
        onClick={() => scrollBy(SCROLL_STEP_PX)}
      />
      <PopupMenu placement="bottomRight" menu={menuFor(active)}>
        <Button type="text" size="small" icon={<DownOutlined />} aria-label={t('tabs.menu')} />
      </PopupMenu>
    </div>
  );
}

interface TabHandleProps extends ComponentProps<'div'> {
  readonly path: string;
  readonly selected: boolean;
  readonly onClose: () => void;
}

/** One tab of the strip. It passes on the props (handlers and ref) that its context menu sets. */
function TabHandle({ path, selected, onClose, children, ...props }: TabHandleProps) {
  const { t } = useTranslation();
  const closable = path !== HOME;
  return (
    <div
      id={tabId(path)}
      role="tab"
      aria-selected={selected}
      aria-controls={selected ? panelId(path) : undefined}
      aria-keyshortcuts={closable ? 'Delete' : undefined}
      {...props}
    >
      {children}
      {closable && (
        // Hidden from screen readers: the Delete key closes a tab, and a button inside a tab would be announced twice.
        <span
          aria-hidden
          data-testid={`close-tab ${path}`}
          className={styles['cross']}
          title={t('tabs.close')}
          onClick={(event) => {
            event.stopPropagation();
            onClose();
          }}
        >
          <CloseOutlined />
        </span>
      )}
    </div>
  );
}
