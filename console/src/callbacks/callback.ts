import type { endpoints } from 'virtual:endpoints';
import type { RowOf } from '../http/call-types.ts';

export type CallbackCall = typeof endpoints.callback.getCallbackList;
export type Callback = RowOf<CallbackCall>;
export type DetailCall = typeof endpoints.callback.getCallbackDetailList;
export type CallbackAttempt = RowOf<DetailCall>;
