import { Modal } from 'antd';
import { Command } from 'cmdk';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endpoints, type Call } from 'virtual:endpoints';
import { mayOpen, SCREENS, type Screen } from '@sangam/contract/screens.ts';
import { useCall } from '../http/use-call.ts';
import { useSettled } from '../http/use-settled.ts';
import { useNames } from '../language/names.ts';
import { useViewer } from '../session/viewer.ts';
import { useTitles } from '../navigation/use-titles.ts';
import { listQuery, type LinkedList } from '../operator-table/list-links.ts';
import styles from './palette.module.css';

type Found = (typeof endpoints.search.search extends Call<infer _, infer Output>
  ? Output
  : never)['list'][number];

const SHORTEST = 3;

/** For each kind of hit: the list that shows it, and the query that leads to the row. */
const LINKS: Readonly<
  Record<
    Found['kind'],
    { area: LinkedList | 'systemOrderClearingHistory'; query: (found: Found, text: string) => string }
  >
> = {
  collectionOrder: { area: 'collectionOrders', query: ({ id }) => listQuery('collectionOrders', {}, id) },
  payoutOrder: { area: 'payoutOrders', query: ({ id }) => listQuery('payoutOrders', {}, id) },
  receivingAccount: {
    area: 'receivingAccounts',
    query: (_, account) => listQuery('receivingAccounts', { account }),
  },
  archivedOrder: { area: 'systemOrderClearingHistory', query: ({ id }) => `?open=o${id}` },
  merchant: { area: 'merchants', query: ({ name }) => listQuery('merchants', { name }) },
  supplier: { area: 'suppliers', query: ({ name }) => listQuery('suppliers', { name }) },
};

interface PaletteProps {
  readonly onClose: () => void;
  readonly onGo: (path: string, search?: string) => void;
}

/** The command palette: opens a screen of the role, or the row of a pasted code, number or name. */
export default function Palette({ onClose, onGo }: PaletteProps) {
  const { t } = useTranslation();
  const viewer = useViewer();
  const title = useTitles();
  const name = useNames();
  const [text, setText] = useState('');
  const wanted = text.trim();
  const asked = useSettled(wanted);
  // Hits are shown only for the current text: otherwise Enter would open a hit of the previous one.
  const isSettled = asked === wanted;
  const isAsked = isSettled && asked.length >= SHORTEST;
  const answer = useCall(endpoints.search.search, { text: asked }, { enabled: isAsked, staleMs: 10_000 });
  const isSearching = wanted.length >= SHORTEST && (!isSettled || answer.isFetching);
  const screens = SCREENS.filter(
    (screen) => screen.roles !== 'public' && mayOpen(viewer.access, screen) && screen.path !== '/error_401',
  );
  const found = isAsked ? (answer.data?.list ?? []) : [];
  const rows = found.flatMap((each) => {
    const { area, query } = LINKS[each.kind];
    const screen = screens.find((candidate) => candidate.area === area);
    return screen ? [{ each, screen, search: query(each, asked) }] : [];
  });
  const labelOf = (screen: Screen) => {
    const group = name('areas', screen.area);
    // The shell's own pages have no group.
    const alone = screen.area === 'shell' || title(screen) === group;
    return alone ? title(screen) : `${group} · ${title(screen)}`;
  };
  const choose = (path: string, search?: string) => {
    onClose();
    onGo(path, search);
  };

  return (
    <Modal
      open
      footer={null}
      closable={false}
      title={null}
      width={560}
      style={{ top: 96 }}
      onCancel={onClose}
      styles={{ container: { padding: 0 } }}
      aria-label={t('palette.title')}
    >
      <Command label={t('palette.title')} className={styles['palette']} loop>
        <Command.Input autoFocus value={text} onValueChange={setText} placeholder={t('palette.hint')} />
        <Command.List>
          <Command.Empty>{t(isSearching ? 'palette.searching' : 'palette.nothing')}</Command.Empty>
          {rows.length > 0 && (
            <Command.Group heading={t('palette.found')}>
              {rows.map(({ each, screen, search }) => (
                <Command.Item
                  key={`${each.kind} ${each.id}`}
                  value={`${each.kind} ${each.id}`}
                  // The server found it by the typed text, even if its name does not contain that text.
                  keywords={[text, wanted]}
                  onSelect={() => choose(screen.path, search)}
                >
                  <span>{each.name}</span>
                  <span className={styles['soft']}>
                    {t(`palette.kinds.${each.kind}`)} · {each.detail}
                  </span>
                </Command.Item>
              ))}
            </Command.Group>
          )}
          <Command.Group heading={t('palette.screens')}>
            {screens.map((screen) => (
              <Command.Item
                key={screen.path}
                value={screen.path}
                keywords={[labelOf(screen)]}
                onSelect={() => choose(screen.path)}
              >
                <span>{labelOf(screen)}</span>
              </Command.Item>
            ))}
          </Command.Group>
        </Command.List>
      </Command>
    </Modal>
  );
}
