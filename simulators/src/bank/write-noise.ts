import type { BankSms } from './write-sms.ts';

/** Uniform in [0, 1), such as Math.random or a seeded generator. */
export type Random = () => number;

const pick = <T>(random: Random, items: readonly [T, ...T[]]): T =>
  items[Math.floor(random() * items.length)] ?? items[0];
const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => Math.floor(random() * 10)).join('');

interface NoiseFacts {
  readonly amount: string;
  readonly tail: string;
  readonly code: string;
  readonly rrn: string;
}

/** Texts that a bank also sends and that must never be booked. Most of them name an amount and an account. */
const writers: readonly [(facts: NoiseFacts) => BankSms, ...((facts: NoiseFacts) => BankSms)[]] = [
  ({ amount, code }) => ({
    sender: 'AD-HDFCBK-S',
    text: `${code} is your OTP for Rs. ${amount} at A SHOP on HDFC Bank card ending 1212. Do not share it with anyone.`,
  }),
  ({ amount, code }) => ({
    sender: 'VM-SBIOTP-S',
    text: `OTP for online purchase of Rs. ${amount} at A SHOP thru State Bank Debit Card 6074*****17 is ${code}. Do not share this with anyone.`,
  }),
  ({ amount, tail }) => ({
    sender: 'AD-ICICIB-S',
    text: `Your ICICI Bank Account XX${tail} will be debited with Rs ${amount} on 05-May-26 towards A SERVICE AutoPay.`,
  }),
  ({ amount, tail }) => ({
    sender: 'AX-AXISBK-S',
    text: `Payment of INR ${amount} for Axis Bank Credit Card no. XX${tail} is due on 25-04-26. Minimum due: INR 270.`,
  }),
  ({ amount, tail }) => ({
    sender: 'AD-SBIBNK-S',
    text: `Dear Customer, EMI of Rs ${amount} for loan A/c XX${tail} is due on 05/05/26. Please keep sufficient balance. -SBI`,
  }),
  ({ amount, tail, rrn }) => ({
    sender: 'AD-HDFCBK-S',
    text: `Your UPI transaction of Rs ${amount} from A/c XX${tail} has failed. UPI Ref ${rrn}. Any amount debited will be reversed.`,
  }),
  ({ amount, tail }) => ({
    sender: 'AX-KOTAKB-S',
    text: `TXN DECLINED: Rs.${amount} at A SHOP on Kotak Card XX${tail}. Reason: insufficient balance.`,
  }),
  ({ amount, tail }) => ({
    sender: 'AD-SBIUPI-S',
    text: `A NAME has requested money from you through UPI. On approving the request, INR ${amount} will be debited from your A/c X${tail}.`,
  }),
  ({ amount, rrn }) => ({
    sender: 'AD-SBINEF-S',
    text: `Dear Customer, Your NEFT of Rs ${amount} with UTR SBIN${rrn} credited to Beneficiary AC NO. XX6983 at TEST0000075.-SBI`,
  }),
  ({ amount, tail }) => ({
    sender: 'VM-HDFCBK-P',
    text: `Rs.${amount} can be credited to your HDFC Bank A/c XX${tail} in 10 seconds! Pre-approved Personal Loan. Apply now`,
  }),
  ({ amount, tail }) => ({
    sender: 'AX-AXISBK-S',
    text: `Get up to INR ${amount} cashback on your Axis Bank Card XX${tail} this season. T&C. Shop now`,
  }),
  ({ amount, tail }) => ({
    sender: 'AX-CANBNK-S',
    text: `Your A/c XX${tail} Avail bal is INR ${amount} as on 05-04-26.-Canara Bank`,
  }),
  ({ amount, tail, rrn }) => ({
    sender: `98765${rrn.slice(0, 5)}`,
    text: `Rs.${amount} credited to HDFC Bank A/c XX${tail} on 05-04-26 from VPA a.name@okbank (UPI ${rrn})`,
  }),
];

/**
 * Writes one message that is no movement: a one-time password, an offer, a due reminder, a failure, a request, a second text, or a
 * forgery.
 */
export function writeNoise(random: Random): BankSms {
  const facts = {
    amount: `${1 + Math.floor(random() * 90_000)}.00`,
    tail: digits(random, 4),
    code: digits(random, 6),
    rrn: `6${digits(random, 11)}`,
  };
  return pick(random, writers)(facts);
}
