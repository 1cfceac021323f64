import type { endpoints } from 'virtual:endpoints';
import type { OutputOf } from '../http/call-types.ts';

type Answer = OutputOf<typeof endpoints.withdrawal.getBeneficiaries>;
export type Beneficiary = Answer['list'][number];

/** The account that the money goes to, in the words its merchant knows. */
export const placeOf = ({
  bankName,
  ifscCode,
  cardNumber,
  vpa,
}: Pick<Beneficiary, 'bankName' | 'ifscCode' | 'cardNumber' | 'vpa'>): string =>
  // A no-break space keeps the masked number on one line.
  vpa ?? [bankName, ifscCode, cardNumber?.replace(' ', '\u00a0')].filter(Boolean).join(' · ');
