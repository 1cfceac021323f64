import {
  CheckOutlined,
  DownOutlined,
  PushpinFilled,
  PushpinOutlined,
  ShareAltOutlined,
} from '@ant-design/icons';
import { App, Button, Tooltip } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { DecisionDialog } from '../dialogs/decision-dialog.tsx';
import { isHandled } from '../http/call-error.ts';
import { call } from '../http/client.ts';
import { useNames } from '../language/names.ts';
import { isStaff, useViewer } from '../session/viewer.ts';
import { PopupMenu } from '../dialogs/popup-menu.tsx';
import type { ListArrangement, ListView } from './arrangement.ts';
import styles from './operator-table.module.css';
import { ToolPopover } from './tool-popover.tsx';
import { ViewDialog } from './view-dialog.tsx';

interface ViewsMenuProps {
  readonly list: string;
  readonly kept: ListArrangement;
  /** The current filters, which a new view would store. */
  readonly filters: Readonly<Record<string, string>>;
  readonly onApply: (view: ListView) => void;
}

type Asked = { readonly kind: 'save' } | { readonly kind: 'edit' | 'delete'; readonly view: ListView };

const sameFilters = (a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>) =>
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([name, text]) => b[name] === text);

/** Saved views of this list: the viewer's own, and those shared with the viewer's role. */
export function ViewsMenu({ list, kept, filters, onApply }: ViewsMenuProps) {
  const { t } = useTranslation();
  const viewer = useViewer();
  const { message } = App.useApp();
  const [open, setOpen] = useState(false);
  const [asked, setAsked] = useState<Asked>();
  const { views = [], arrangement } = kept;
  const current = views.find((view) => Object.keys(filters).length > 0 && sameFilters(view.filters, filters));

  const save = async (
    view: Pick<ListView, 'name' | 'sharedRoles' | 'filters' | 'arrangement'>,
    id?: string,
  ) => {
    await call(endpoints.list.saveListView, { list, ...view, ...(id === undefined ? {} : { id }) });
    await kept.reload();
  };
  /** Updates a view and shows a refusal, because no dialog is open that would. */
  const update = async (view: ListView) => {
    try {
      await save({ ...view, filters, arrangement }, view.id);
    } catch (error) {
      if (!isHandled(error)) message.error(error instanceof Error ? error.message : String(error));
    }
  };
  const ask = (next: Asked) => {
    setOpen(false);
    setAsked(next);
  };

  const menu = (
    <div className={styles['views']}>
      {views.length === 0 && <p>{t('views.none')}</p>}
      <ul>
        {views.map((view) => (
          <ViewItem
            key={view.id}
            view={view}
            isCurrent={view === current}
            isDefault={view.id === kept.defaultViewId}
            onApply={() => {
              setOpen(false);
              onApply(view);
            }}
            onDefault={(isDefault) => kept.setDefault(isDefault ? view.id : null)}
            onUpdate={() => void update(view)}
            onAsk={(kind) => ask({ kind, view })}
          />
        ))}
      </ul>
      <Button type="link" size="small" onClick={() => ask({ kind: 'save' })}>
        {t('views.save')}
      </Button>
    </div>
  );

  return (
    <>
      <ToolPopover open={open} onOpen={setOpen} content={menu}>
        <Button
          type="text"
          aria-label={current ? t('views.current', { name: current.name }) : t('views.button')}
        >
          {current?.name ?? t('views.button')} <DownOutlined aria-hidden />
        </Button>
      </ToolPopover>
      {(asked?.kind === 'save' || asked?.kind === 'edit') && (
        <ViewDialog
          {...(asked.kind === 'edit' ? { view: asked.view } : {})}
          mayShare={isStaff(viewer)}
          onSave={(said) =>
            asked.kind === 'edit'
              ? save({ ...asked.view, ...said }, asked.view.id)
              : save({ ...said, filters, arrangement })
          }
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked?.kind === 'delete' && (
        <DecisionDialog
          title={t('views.delete')}
          facts={[[t('views.name'), asked.view.name]]}
          consequence={t(asked.view.sharedRoles.length > 0 ? 'views.deleteShared' : 'views.deleteOwn')}
          okText={t('views.delete')}
          danger
          onConfirm={async () => {
            await call(endpoints.list.deleteListView, { id: asked.view.id });
            await kept.reload();
            return true;
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}

interface ViewItemProps {
  readonly view: ListView;
  readonly isCurrent: boolean;
  readonly isDefault: boolean;
  readonly onApply: () => void;
  readonly onDefault: (isDefault: boolean) => void;
  readonly onUpdate: () => void;
  readonly onAsk: (kind: 'edit' | 'delete') => void;
}

function ViewItem({ view, isCurrent, isDefault, onApply, onDefault, onUpdate, onAsk }: ViewItemProps) {
  const { t } = useTranslation();
  const name = useNames();
  const roles = view.sharedRoles.map((role) => name('roles', role)).join(', ');
  return (
    <li>
      <button type="button" className={styles['viewName']} aria-pressed={isCurrent} onClick={onApply}>
        {isCurrent ? <CheckOutlined aria-hidden /> : <span className={styles['viewTick']} />}
        <span>{view.name}</span>
        {view.sharedRoles.length > 0 && (
          <Tooltip
            title={
              view.mine ? t('views.sharedWith', { roles }) : t('views.sharedBy', { name: view.ownerName })
            }
          >
            <ShareAltOutlined aria-label={t('views.shared')} />
          </Tooltip>
        )}
      </button>
      <Button
        type="text"
        size="small"
        icon={isDefault ? <PushpinFilled /> : <PushpinOutlined />}
        aria-pressed={isDefault}
        aria-label={t('views.default', { name: view.name })}
        title={t('views.default', { name: view.name })}
        onClick={() => onDefault(!isDefault)}
      />
      {view.mine && (
        <PopupMenu
          menu={{
            items: [
              { key: 'update', label: t('views.update') },
              { key: 'edit', label: t('views.edit') },
              { key: 'delete', label: t('views.delete'), danger: true },
            ],
            onClick: ({ key }) => {
              if (key === 'update') onUpdate();
              else onAsk(key as 'edit' | 'delete');
            },
          }}
        >
          <Button
            type="text"
            size="small"
            icon={<DownOutlined />}
            aria-label={t('views.menuOf', { name: view.name })}
          />
        </PopupMenu>
      )}
    </li>
  );
}
