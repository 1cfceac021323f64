import type { endpoints } from 'virtual:endpoints';
import type { OutputOf } from '../http/call-types.ts';

type Answer = OutputOf<typeof endpoints.withdrawal.getBeneficiaries>;
export type Beneficiary = Answer['list'][number];

/** Where its money arrives, as its merchant knows it. */
export const placeOf = ({
  bankName,
  ifscCode,
  cardNumber,
  vpa,
}: Pick<Beneficiary, 'bankName' | 'ifscCode' | 'cardNumber' | 'vpa'>): string =>
  vpa ?? [bankName, ifscCode, cardNumber].filter(Boolean).join(' · ');
