import { CheckOutlined, DeleteOutlined, EditOutlined, UndoOutlined } from '@ant-design/icons';
import { App, Badge, Button, Empty, Skeleton, Tooltip } from 'antd';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints } from 'virtual:endpoints';
import { isHandled } from '../http/call-error.ts';
import { call } from '../http/client.ts';
import { useCall } from '../http/use-call.ts';
import { AlertLink } from '../figures/alert-link.tsx';
import { Moment } from '../figures/moment.tsx';
import { ListFailure } from '../operator-table/list-outcomes.tsx';
import { OrderLink } from '../orders/order-links.tsx';
import { useViewer } from '../session/viewer.ts';
import { ComposeDialog, WRITERS } from './compose-dialog.tsx';
import styles from './inbox.module.css';
import { useInbox, useRefreshInbox, type Folder, type Inbox, type MessageSummary } from './use-inbox.ts';

const FOLDERS: readonly Folder[] = ['unread', 'readed', 'trash'];
type Move = typeof endpoints.message.hasRead;

/** Unread, read and removed messages. Opening an unread message marks it as read, and it stays on the screen. */
export function InboxScreen() {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const viewer = useViewer();
  const inbox = useInbox();
  const refresh = useRefreshInbox();
  const [folder, setFolder] = useState<Folder>('unread');
  const [openId, setOpenId] = useState<string>();
  const [moving, setMoving] = useState<ReadonlySet<string>>(new Set());
  const [composing, setComposing] = useState(false);

  const move = async (definition: Move, ids: readonly string[]) => {
    setMoving((before) => new Set([...before, ...ids]));
    try {
      for (const msg_id of ids) await call(definition, { msg_id });
    } catch (error) {
      if (!isHandled(error)) void message.error(error instanceof Error ? error.message : String(error));
    } finally {
      await refresh();
      setMoving((before) => new Set([...before].filter((id) => !ids.includes(id))));
    }
  };
  const open = (summary: MessageSummary) => setOpenId(summary.msg_id);
  const unread = inbox.data?.unread.map(({ msg_id }) => msg_id) ?? [];

  return (
    <section className={styles['screen']} aria-label={t('inbox.title')}>
      <header className={styles['head']}>
        <h1>{t('inbox.title')}</h1>
        <div>
          {unread.length > 0 && (
            <Button
              type="text"
              icon={<CheckOutlined />}
              loading={unread.every((id) => moving.has(id))}
              onClick={() => void move(endpoints.message.hasRead, unread)}
            >
              {t('inbox.readAll')}
            </Button>
          )}
          {WRITERS.includes(viewer.access) && (
            <Button type="primary" icon={<EditOutlined />} onClick={() => setComposing(true)}>
              {t('inbox.compose')}
            </Button>
          )}
        </div>
      </header>
      {inbox.isError && !inbox.data ? (
        <ListFailure error={inbox.error} onRetry={() => void inbox.refetch()} />
      ) : (
        <div className={`${styles['columns']} ${openId === undefined ? styles['closed'] : ''}`}>
          <nav className={styles['folders']} aria-label={t('inbox.folders')}>
            {FOLDERS.map((each) => (
              <Button
                key={each}
                type="text"
                className={(each === folder && styles['current']) || ''}
                aria-current={each === folder}
                block
                onClick={() => setFolder(each)}
              >
                <span>{t(`inbox.folder.${each}`)}</span>
                <Badge
                  count={
                    each === 'unread' ? (inbox.data?.unreadCount ?? 0) : (inbox.data?.[each].length ?? 0)
                  }
                  overflowCount={199}
                  {...(each === 'unread' ? {} : { color: 'var(--text-faint)' })}
                />
              </Button>
            ))}
          </nav>
          <MessageList
            inbox={inbox.data}
            folder={folder}
            openId={openId}
            onOpen={open}
            actionOf={({ msg_id }) =>
              folder === 'unread' ? null : (
                <MoveButton
                  label={t(folder === 'readed' ? 'inbox.remove' : 'inbox.restore')}
                  icon={folder === 'readed' ? <DeleteOutlined /> : <UndoOutlined />}
                  busy={moving.has(msg_id)}
                  onClick={() =>
                    void move(
                      folder === 'readed' ? endpoints.message.removeReaded : endpoints.message.restore,
                      [msg_id],
                    )
                  }
                />
              )
            }
          />
          {openId === undefined ? (
            <div className={styles['content']}>
              <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('inbox.choose')} />
            </div>
          ) : (
            <MessageContent
              key={openId}
              id={openId}
              onShown={() => {
                if (unread.includes(openId)) void move(endpoints.message.hasRead, [openId]);
              }}
            />
          )}
        </div>
      )}
      {composing && <ComposeDialog onClose={() => setComposing(false)} />}
    </section>
  );
}

interface MessageListProps {
  readonly inbox: Inbox | undefined;
  readonly folder: Folder;
  readonly openId: string | undefined;
  readonly onOpen: (summary: MessageSummary) => void;
  readonly actionOf: (summary: MessageSummary) => ReactNode;
}

function MessageList({ inbox, folder, openId, onOpen, actionOf }: MessageListProps) {
  const { t } = useTranslation();
  const list = inbox?.[folder];
  return (
    <ul className={styles['list']} aria-label={t(`inbox.folder.${folder}`)}>
      {!list && (
        <li className={styles['none']}>
          <Skeleton active style={{ padding: 16 }} />
        </li>
      )}
      {list?.length === 0 && (
        <li className={styles['none']}>
          <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t(`inbox.empty.${folder}`)} />
        </li>
      )}
      {list?.map((summary) => (
        <li key={summary.msg_id} className={summary.msg_id === openId ? styles['open'] : undefined}>
          <button type="button" className={styles['item']} onClick={() => onOpen(summary)}>
            <span className={styles['itemTitle']}>{summary.title}</span>
            <span className={styles['itemFacts']}>
              {summary.sender ?? t('inbox.system')} · <Moment time={summary.create_time} />
            </span>
          </button>
          {actionOf(summary)}
        </li>
      ))}
    </ul>
  );
}

interface MoveButtonProps {
  readonly label: string;
  readonly icon: ReactNode;
  readonly busy: boolean;
  readonly onClick: () => void;
}

function MoveButton({ label, icon, busy, onClick }: MoveButtonProps) {
  return (
    <Tooltip title={label}>
      <Button type="text" size="small" icon={icon} aria-label={label} loading={busy} onClick={onClick} />
    </Tooltip>
  );
}

/** Loaded once per session; the body is plain text. */
function MessageContent({ id, onShown }: { readonly id: string; readonly onShown: () => void }) {
  const { t } = useTranslation();
  const body = useCall(endpoints.message.content, { msg_id: id }, { staleMs: Number.POSITIVE_INFINITY });
  const isShown = body.data !== undefined;
  const shown = useEffectEvent(onShown);
  useEffect(() => {
    if (isShown) shown();
  }, [isShown]);
  if (body.isError) {
    return (
      <div className={styles['content']}>
        <ListFailure error={body.error} onRetry={() => void body.refetch()} />
      </div>
    );
  }
  return (
    <article className={styles['content']}>
      {body.data ? (
        <>
          <h2>{body.data.title}</h2>
          <p className={styles['itemFacts']}>
            {body.data.sender ?? t('inbox.system')} · <Moment time={body.data.create_time} exact />
          </p>
          {body.data.content !== body.data.title && <p className={styles['text']}>{body.data.content}</p>}
          {body.data.order && (
            <p className={styles['text']}>
              {t('inbox.order')} <OrderLink {...body.data.order} />
            </p>
          )}
          {body.data.alert && (
            <p className={styles['text']}>
              {t('inbox.about')}{' '}
              <AlertLink alert={{ ...body.data.alert, text: body.data.title }} by="title" />
            </p>
          )}
        </>
      ) : (
        <Skeleton active />
      )}
    </article>
  );
}
