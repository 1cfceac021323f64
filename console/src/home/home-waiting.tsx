import { useTranslation } from 'react-i18next';
import type { endpoints } from 'virtual:endpoints';
import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import { screenFor } from '@sangam/contract/screens.ts';
import type { OutputOf } from '../http/call-types.ts';
import { useViewer } from '../session/viewer.ts';
import { useTabLocation } from '../navigation/tab-location.ts';
import { listQuery, type LinkedList, type LinkFilters } from '../operator-table/list-links.ts';
import styles from './home.module.css';

type Home = OutputOf<typeof endpoints.home.getHome>;
type Kind = Home['waiting'][number]['kind'];

/** The server counts up to this number; above it the count is shown as 'many'. */
const MOST = 1_000;

interface ListLink {
  readonly area: LinkedList;
  readonly query: string;
}

function link<List extends LinkedList>(area: List, filters: LinkFilters<List>): ListLink {
  return { area, query: listQuery(area, filters) };
}

/** The list that shows the rows of each kind. */
const LINKS: Readonly<Record<Kind, ListLink>> = {
  approvals: link('toDo', {}),
  payoutsWaiting: link('payoutOrders', { orderStatusId: PAYOUT_STATUS.waiting }),
  payoutsClaimed: link('payoutOrders', { orderStatusId: PAYOUT_STATUS.preparing }),
  payoutsToConfirm: link('payoutOrders', { orderStatusId: PAYOUT_STATUS.toBeConfirmed }),
  payoutErrors: link('payoutOrders', { orderStatusId: PAYOUT_STATUS.processingError }),
  payoutsUnproven: link('payoutOrders', { unproven: 'true' }),
  callbacksFailed: link('collectionOrders', { orderStatusId: COLLECTION_STATUS.callbackFailed }),
  messagesUnmatched: link('bankSMSRecords', { state: 'unmatched' }),
  messagesAmbiguous: link('bankSMSRecords', { state: 'ambiguous' }),
  messagesUnparsed: link('bankSMSRecords', { state: 'unparsed' }),
};

/** The work that waits for the user. Each item links to its list. */
export function HomeWaiting({ waiting }: { readonly waiting: Home['waiting'] }) {
  const { t, i18n } = useTranslation();
  const { access } = useViewer();
  const { openTab } = useTabLocation();
  const number = new Intl.NumberFormat(i18n.language);
  const shown = waiting.flatMap(({ kind, count }) => {
    const { area, query } = LINKS[kind];
    const path = screenFor(access, area)?.path;
    return path === undefined ? [] : [{ kind, count, path, query }];
  });
  if (shown.length === 0) return null;
  return (
    <section className={styles['day']} aria-label={t('home.waiting')}>
      <h2>{t('home.waiting')}</h2>
      <ul className={styles['waiting']}>
        {shown.map(({ kind, count, path, query }) => (
          <li key={kind}>
            <a
              href={`${path}${query}`}
              className={count === 0 ? styles['none'] : undefined}
              onClick={(event) => {
                event.preventDefault();
                openTab(path, () => query);
              }}
            >
              <strong>{count > MOST ? `${number.format(MOST)}+` : number.format(count)}</strong>
              <span>{t(`home.waitingKinds.${kind}`)}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
