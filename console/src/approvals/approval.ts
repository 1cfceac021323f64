import type { endpoints } from 'virtual:endpoints';
import type { RowOf } from '../http/call-types.ts';
import type { Names } from '../language/names.ts';
import { takesTermsBack } from './request-fields.ts';

/** A request for a second person, waiting or answered. */
export type Approval = RowOf<typeof endpoints.todo.getStarted>;
export type ApprovalAnswer = Approval['actions'][number];

/** What a request asks for. Taking scheduled terms back has a name of its own, because a 'rate change' would say the opposite. */
export const requestName = (name: Names, { kind, payload }: Approval): string =>
  kind === 'rateChange' && takesTermsBack(payload)
    ? name('requestChanges', 'takeBackTerms')
    : name('approvalKinds', kind);
