/** @jsxImportSource preact */
import { render } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { payout as calls } from 'virtual:endpoints/payout';
import type { UserInfo } from '@sangam/contract/endpoints/user.ts';
import type { PayoutOrderRow } from '@sangam/contract/endpoints/payout.ts';
import type { Locale } from '@sangam/contract/locale.ts';
import { isHandled } from '../http/call-error.ts';
import { chosenLanguage } from '../language/choice.ts';
import { call, messageOf } from './call.ts';
import { Card } from './card.tsx';
import { ClaimSheet } from './claim-sheet.tsx';
import { Phone, usePhone } from './context.ts';
import { Menu, signOut } from './menu.tsx';
import { NewVersion } from './new-version.tsx';
import { notToPay } from './not-to-pay.ts';
import styles from './phone.module.css';
import { renewPush } from './push.ts';
import { SecondPassword } from './second-password.tsx';
import { fill, loadTexts, type PhoneTexts } from './texts.ts';
import { MOST_CARDS, useCards } from './use-cards.ts';
import { useClaimInAddress } from './use-claim-in-address.ts';

interface AppProps {
  readonly viewer: UserInfo;
  readonly texts: PhoneTexts;
  readonly locale: Locale;
}

export const openApp = (place: Element, app: AppProps): void => render(<App {...app} />, place);

export const closeApp = (place: Element): void => render(null, place);

function App({ viewer, ...first }: AppProps) {
  const [said, setSaid] = useState(first);
  const { texts, locale } = said;
  useEffect(() => {
    document.documentElement.lang = locale;
    document.title = `${texts.phone.title} · Sangam`;
  }, [locale, texts]);
  // A push service may change the address, and the server may have dropped the subscription, so it is sent again at each start.
  useEffect(() => void renewPush().catch(() => undefined), [locale]);
  const readLanguage = async () => {
    const chosen = chosenLanguage();
    setSaid({ locale: chosen, texts: await loadTexts(chosen) });
  };
  return (
    <Phone.Provider value={{ viewer, texts, locale }}>
      {viewer.access === 'supplier' ? <Payouts onLanguage={() => void readLanguage()} /> : <Others />}
      <SecondPassword />
    </Phone.Provider>
  );
}

/** Shown to a user who is no supplier: this app has nothing for them. */
function Others() {
  const { phone, shell } = usePhone().texts;
  return (
    <main className={styles['screen']}>
      <h1>{phone.title}</h1>
      <p>{phone.suppliersOnly}</p>
      <a className={styles['plain']} href="/home">
        {phone.console}
      </a>
      <button type="button" className={styles['plain']} onClick={() => void signOut()}>
        {shell.signOut}
      </button>
    </main>
  );
}

/** The payouts a supplier may claim, and those it has claimed. */
function Payouts({ onLanguage }: { readonly onLanguage: () => void }) {
  const { texts, viewer } = usePhone();
  const { hand } = texts.payouts;
  const cards = useCards(viewer);
  const [isMine, setIsMine] = useState(false);
  const { claim: opened, open, close } = useClaimInAddress();
  const [claiming, setClaiming] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [menu, setMenu] = useState(false);
  const rows = isMine ? cards.mine : cards.available;

  const claim = async ({ id, version, orderCode }: PayoutOrderRow) => {
    if (claiming !== undefined) return;
    setClaiming(id);
    setProblem(undefined);
    try {
      await call(calls.claimOrder, { orderId: id, version });
      await cards.again();
      open(orderCode);
    } catch (error) {
      if (!isHandled(error)) setProblem(messageOf(error));
      await cards.again();
    } finally {
      setClaiming(undefined);
    }
  };
  const buttonOf = (order: PayoutOrderRow) =>
    isMine
      ? {
          label: notToPay(order, texts.payouts) === undefined ? hand.pay : hand.show,
          busy: false,
          run: () => open(order.orderCode),
        }
      : { label: texts.actions.claim, busy: claiming === order.id, run: () => void claim(order) };
  const choose = (mine: boolean) => {
    setIsMine(mine);
    setProblem(undefined);
  };

  return (
    <main className={styles['screen']} aria-label={texts.phone.title}>
      <header className={styles['head']}>
        <h1>{texts.phone.title}</h1>
        <button type="button" className={styles['quiet']} onClick={() => setMenu(true)}>
          {texts.phone.menu}
        </button>
      </header>
      <NewVersion />
      <AsOf at={cards.at} problem={cards.problem} />
      {problem !== undefined && (
        <p role="alert" className={styles['problem']}>
          {problem}
        </p>
      )}
      <ul className={styles['cards']} aria-busy={rows === undefined && cards.problem === undefined}>
        {rows?.map((order) => (
          <Card key={order.id} order={order} button={buttonOf(order)} />
        ))}
      </ul>
      {rows?.length === 0 && <p className={styles['none']}>{isMine ? hand.noneMine : hand.noneAvailable}</p>}
      {cards.isCut && <p className={styles['none']}>{fill(hand.most, { count: MOST_CARDS })}</p>}
      <div className={styles['switch']} role="group" aria-label={texts.phone.title}>
        <button type="button" aria-pressed={!isMine} onClick={() => choose(false)}>
          {hand.available} <b>{cards.available?.length ?? ''}</b>
        </button>
        <button type="button" aria-pressed={isMine} onClick={() => choose(true)}>
          {hand.mine} <b>{cards.mine?.length ?? ''}</b>
        </button>
      </div>
      {opened !== undefined && cards.mine && (
        <ClaimSheet
          key={opened}
          orderCode={opened}
          order={cards.mine.find(({ orderCode }) => orderCode === opened)}
          onChanged={() => void cards.again()}
          onClose={close}
        />
      )}
      {menu && <Menu onLanguage={onLanguage} onClose={() => setMenu(false)} />}
    </main>
  );
}

/** Says how old the shown data is, where it is out of date. */
function AsOf({ at, problem }: { readonly at: number | undefined; readonly problem: string | undefined }) {
  const { texts, locale } = usePhone();
  if (problem === undefined) return null;
  const time = at === undefined ? undefined : new Date(at).toLocaleTimeString(locale);
  return (
    <p role="status" className={styles['stale']}>
      {problem} {time !== undefined && fill(texts.phone.asOf, { time })}
    </p>
  );
}
