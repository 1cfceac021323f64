import { useTranslation } from 'react-i18next';
import type { endpoints } from 'virtual:endpoints';
import { COLLECTION_STATUS } from '@sangam/contract/orders.ts';
import { PAYOUT_STATUS } from '@sangam/contract/payouts.ts';
import type { Role } from '@sangam/contract/roles.ts';
import { mayOpen, SCREENS } from '@sangam/contract/screens.ts';
import type { OutputOf } from '../http/call-types.ts';
import { useViewer } from '../session/viewer.ts';
import { useTabLocation } from '../navigation/tab-location.ts';
import styles from './home.module.css';

type Home = OutputOf<typeof endpoints.home.getHome>;
type Kind = Home['waiting'][number]['kind'];

/** As the server counts: more than that is 'many'. */
const MOST = 1_000;

/** The list each kind is found in: its area, and the filter in the address. */
const PLACES: Readonly<Record<Kind, readonly [area: string, query: string]>> = {
  approvals: ['toDo', ''],
  payoutsWaiting: ['payoutOrders', `?s=${PAYOUT_STATUS.waiting}`],
  payoutsClaimed: ['payoutOrders', `?s=${PAYOUT_STATUS.preparing}`],
  payoutsToConfirm: ['payoutOrders', `?s=${PAYOUT_STATUS.toBeConfirmed}`],
  payoutErrors: ['payoutOrders', `?s=${PAYOUT_STATUS.processingError}`],
  payoutsUnproven: ['payoutOrders', '?up=true'],
  callbacksFailed: ['collectionOrders', `?s=${COLLECTION_STATUS.callbackFailed}`],
  messagesUnmatched: ['bankSMSRecords', '?s=unmatched'],
  messagesAmbiguous: ['bankSMSRecords', '?s=ambiguous'],
  messagesUnparsed: ['bankSMSRecords', '?s=unparsed'],
};

function pathOf(kind: Kind, role: Role): string | undefined {
  const [area, query] = PLACES[kind];
  const screen = SCREENS.find((each) => each.area === area && each.built && mayOpen(role, each));
  return screen && `${screen.path}${query}`;
}

/** What somebody has to deal with, each leading to the list it stands in. */
export function HomeWaiting({ waiting }: { readonly waiting: Home['waiting'] }) {
  const { t, i18n } = useTranslation();
  const { access } = useViewer();
  const { openTab } = useTabLocation();
  const number = new Intl.NumberFormat(i18n.language);
  const shown = waiting.flatMap(({ kind, count }) => {
    const path = pathOf(kind, access);
    return path === undefined ? [] : [{ kind, count, path }];
  });
  if (shown.length === 0) return null;
  return (
    <section className={styles['day']} aria-label={t('home.waiting')}>
      <h2>{t('home.waiting')}</h2>
      <ul className={styles['waiting']}>
        {shown.map(({ kind, count, path }) => (
          <li key={kind}>
            <a
              href={path}
              className={count === 0 ? styles['none'] : undefined}
              onClick={(event) => {
                event.preventDefault();
                openTab(path);
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
