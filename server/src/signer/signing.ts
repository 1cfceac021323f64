import { businessDay, parseTime } from '@sangam/contract/time.ts';
import type { Fate, TronNode } from '../channels/usdt/tron-node.ts';
import { type Clock, DAY, MINUTE } from '../platform/clock.ts';
import { stepOfCode } from '../access/google-code.ts';
import type { Secrets } from './sealed.ts';
import type { SignedTransfer, SignerStore } from './store.ts';
import { idOf, rawTransfer, signedTransaction } from './transfer.ts';
import { walletKey, type WalletKey } from './wallet-key.ts';
import type { Answer, Path, Question } from '../channels/usdt/signer-wire.ts';

/** How long after the newest block a transfer stays valid: long enough for a slow node, short enough to know its outcome soon. */
const LIFE = 2 * MINUTE;
/** How long the first code of a release waits for a second. */
const FIRST_LASTS = DAY;
/** How many wrong codes of a person in a day are too many: a guess hits once in 300,000. */
const MOST_WRONG_CODES = 10n;
/** How many transfers the chain is asked about at once. */
const AT_ONCE = 32;

export interface SigningOptions {
  readonly store: SignerStore;
  readonly secrets: Secrets;
  readonly node: TronNode;
  readonly clock: Clock;
  readonly contract: string;
  /** Sun: the most the energy of one transfer may cost. */
  readonly feeLimit: bigint;
}

export type Signing = { readonly [P in Path]: (question: Question<P>) => Promise<Answer<P>> } & {
  /** Asks the chain about open transfers; returns how many of them have ended. Throws at the end if some cannot be read. */
  settle(): Promise<number>;
};

/**
 * The signer. For each key it signs one transfer: the signed bytes are on the disk before they are answered, and the same call again
 * answers the same bytes. A payout has one transfer that may pay; a second is signed only when the chain proves that the first has failed
 * or can never be taken. Above a limit it signs when two people have each shown it a code for this payout, address and amount: one with a
 * request, the other with its approval.
 */
export function createSigning(options: SigningOptions): Signing {
  const { store, secrets, node, clock, contract, feeLimit } = options;
  const keys = new Map(secrets.keys.map(walletKey).map((key) => [key.address, key]));
  const [one, day] = [BigInt(secrets.limits.one), BigInt(secrets.limits.day)];
  let last: Promise<unknown> = Promise.resolve();

  /** Runs work one after the other, so that no limit or balance changes between reading and using it. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return mine;
  }

  /** A transfer that the platform knows and this file does not: the file is an older copy. */
  const missingOf = (known: readonly string[] | undefined) =>
    known?.find((txid) => !store.hasTransaction(txid));

  async function sign(question: Question<'/sign'>): Promise<Answer<'/sign'>> {
    const { key, payout, from, to } = question;
    const amount = BigInt(question.amount);
    const same = sameAs(question);
    const missing = missingOf(question.known);
    if (missing !== undefined) return { state: 'wait', reason: 'olderFile', detail: missing };
    for (const earlier of store.transfersOf(payout)) {
      const { state } = await look(earlier);
      if (state === 'failed' || state === 'dead') continue;
      // It has paid or may still pay: it is the answer, whatever key or wallet was asked for. A platform that was restored knows no better.
      return same(earlier) ? answerOf(earlier) : { state: 'refused', reason: 'different' };
    }
    const known = store.transfer(key);
    if (known) {
      const isSame = known.payout === payout && same(known);
      return isSame ? answerOf(known) : { state: 'refused', reason: 'different' };
    }
    if (store.isRenounced(key)) return { state: 'refused', reason: 'renounced' };
    const wallet = keys.get(from);
    if (!wallet) return { state: 'refused', reason: 'noKey' };

    const release = store.release(payout);
    const isReleased = release !== undefined && same(release);
    const today = businessDay(clock.now());
    if (!isReleased) {
      if (amount > one) return { state: 'refused', reason: 'releaseNeeded' };
      if (store.usedOn(today, from) + amount > day) return { state: 'refused', reason: 'dayLimit' };
    }
    const poor = await lackOf(from, to, amount);
    if (poor) return poor;
    return answerOf(await make({ ...question, amount, wallet, day: isReleased ? null : today }));
  }

  /** The answer if the wallet lacks USDT or TRX, or the contract would refuse the transfer. Undefined: nothing is lacking. */
  async function lackOf(from: string, to: string, amount: bigint): Promise<Answer<'/sign'> | undefined> {
    const [means, use] = await Promise.all([node.wallet(from), node.rehearse(from, to, amount)]);
    const open = store.openTransfers().filter((each) => each.from === from);
    const promised = open.reduce((sum, each) => sum + each.amount, 0n);
    if (means.usdt < promised + amount)
      return { state: 'wait', reason: 'balance', detail: `${means.usdt} held, ${promised} promised` };
    if (use.refusal !== null) return { state: 'refused', reason: 'wouldFail', detail: use.refusal };
    const bought = use.energy > means.energy ? use.energy - means.energy : 0n;
    const fee = bought * means.energyPrice;
    if (fee > feeLimit || fee * BigInt(open.length + 1) > means.trx)
      return { state: 'wait', reason: 'energy', detail: `${fee} sun needed, ${means.trx} held` };
    return undefined;
  }

  async function make(wanted: {
    readonly key: string;
    readonly payout: string;
    readonly from: string;
    readonly to: string;
    readonly amount: bigint;
    readonly wallet: WalletKey;
    readonly day: string | null;
  }): Promise<SignedTransfer> {
    const { wallet, ...transfer } = wanted;
    const head = await node.head();
    const rawAt = (expiration: number) =>
      rawTransfer({ ...transfer, contract, block: head, timestamp: head.time, expiration, feeLimit });
    let expiration = head.time + LIFE;
    // Two payouts of one amount to one address at the same block would be one transaction. Another expiration makes another transaction.
    while (store.hasTransaction(idOf(rawAt(expiration)).toString('hex'))) expiration += 1;
    const raw = rawAt(expiration);
    const id = idOf(raw);
    const made: SignedTransfer = {
      ...transfer,
      txid: id.toString('hex'),
      hex: signedTransaction(raw, wallet.sign(id)).toString('hex'),
      expiration,
      signedAt: clock.now().getTime(),
      fate: 'open',
    };
    store.insertTransfer(made);
    return made;
  }

  /** By a receipt, 'paid' and 'failed' are final. 'Dead' is only a receipt that is missing: it is looked for again. */
  async function look(transfer: SignedTransfer): Promise<Pick<Fate, 'state'>> {
    if (transfer.fate === 'paid' || transfer.fate === 'failed') return { state: transfer.fate };
    const fate = await node.fate(transfer);
    if (fate.state !== 'open' && fate.state !== 'late') store.settle(transfer.key, fate.state);
    return fate;
  }

  /** Why a person's code counts for nothing; undefined when it counts, and is used up. */
  async function refusalOf(person: string, code: string): Promise<'code' | 'locked' | undefined> {
    const releaser = secrets.releasers.find(({ name }) => name === person);
    if (!releaser) return 'code';
    const today = businessDay(clock.now());
    if (store.wrongCodes(person, today) >= MOST_WRONG_CODES) return 'locked';
    const step = await stepOfCode(releaser.secret, code, clock.now());
    if (step === undefined) store.countWrongCode(person, today);
    return step !== undefined && store.useStep(person, step) ? undefined : 'code';
  }

  async function release(question: Question<'/release'>): Promise<Answer<'/release'>> {
    const { payout, request, as, to, person, code } = question;
    const same = sameAs(question);
    const [done, first, now] = [store.release(payout), store.firstCode(payout), clock.now().getTime()];
    if (done && !same(done)) return { state: 'refused', reason: 'different' };
    // The second person asks again: the answer was lost.
    if (done?.second === person && as === 'second') return { state: 'released' };
    const refusal = await refusalOf(person, code);
    if (refusal) return { state: 'refused', reason: refusal };
    if (done) return { state: 'released' };
    const amount = BigInt(question.amount);
    if (as === 'first') {
      store.writeFirstCode(payout, { request, to, amount, person, shownAt: now });
      return { state: 'first' };
    }
    if (first?.request !== request || first.shownAt + FIRST_LASTS <= now)
      return { state: 'refused', reason: 'noFirst' };
    if (!same(first)) return { state: 'refused', reason: 'different' };
    if (first.person === person) return { state: 'refused', reason: 'samePerson' };
    store.writeRelease(payout, { to, amount, first: first.person, second: person });
    return { state: 'released' };
  }

  return {
    '/sign': (question) =>
      inTurn(async () => {
        try {
          return await sign(question);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code === 'ERR_SQLITE_ERROR') throw error;
          // Nothing was signed: the chain is asked before anything is signed.
          return { state: 'wait', reason: 'chain', detail: (error as Error).message.slice(0, 200) };
        }
      }),

    '/find': ({ key, payout, renounce, alone, txid, known }) =>
      inTurn(async () => {
        const older = missingOf(known) === undefined ? {} : { isOlder: true as const };
        const named = () => store.transfersOf(payout).find((each) => each.txid === txid);
        const found = (alone ? undefined : (store.liveTransfer(payout) ?? named())) ?? store.transfer(key);
        if (found) return { ...answerOf(found), ...older };
        if (renounce) store.renounce(key);
        return { state: store.isRenounced(key) ? 'renounced' : 'none', ...older };
      }),

    '/release': (question) => inTurn(() => release(question)),

    '/wallets': async () => {
      const today = businessDay(clock.now());
      return {
        one: String(one),
        day: String(day),
        releasers: secrets.releasers.map(({ name }) => name),
        wallets: [...keys.keys()].map((address) => ({
          address,
          usedToday: String(store.usedOn(today, address)),
          releasedToday: String(store.releasedSince(parseTime(today)!.getTime(), address)),
        })),
      };
    },

    async settle() {
      const open = store.openTransfers();
      const problems: unknown[] = [];
      let ended = 0;
      for (let from = 0; from < open.length; from += AT_ONCE) {
        const batch = open.slice(from, from + AT_ONCE);
        const looks = await inTurn(() => Promise.allSettled(batch.map(look)));
        const fates = looks.flatMap((each) => (each.status === 'fulfilled' ? [each.value.state] : []));
        problems.push(
          ...looks.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : [])),
        );
        ended += fates.filter((state) => state !== 'open' && state !== 'late').length;
        // None can be read: the node is in trouble.
        if (fates.length === 0) break;
      }
      if (problems.length > 0)
        throw new AggregateError(problems, `${problems.length} transfers cannot be read`);
      return ended;
    },
  };
}

/** Whether something is for the address and amount of the question. */
function sameAs(question: { readonly to: string; readonly amount: string }) {
  const amount = BigInt(question.amount);
  return (each: { readonly to: string; readonly amount: bigint }) =>
    each.to === question.to && each.amount === amount;
}

function answerOf({ key, txid, hex, from, to, amount, expiration }: SignedTransfer): Answer<'/sign'> & {
  readonly state: 'signed';
} {
  return { state: 'signed', key, txid, hex, from, to, amount: String(amount), expiration };
}
