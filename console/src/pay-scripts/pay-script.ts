import type { endpoints } from 'virtual:endpoints';
import type { RowOf } from '../http/call-types.ts';

type Output<Call extends { readonly types?: { readonly output: unknown } }> = NonNullable<
  Call['types']
>['output'];

export type ScriptRow = RowOf<typeof endpoints.payScript.getPayScriptList>;
export type Script = Output<typeof endpoints.payScript.getPayScript>;
export type Version = Script['versions'][number];
export type CallRow = RowOf<typeof endpoints.payScript.getPayScriptCallList>;
export type CallRecord = Pick<
  Output<typeof endpoints.payScript.getPayScriptCall>,
  'output' | 'problem' | 'fetches' | 'logs' | 'durationMs'
>;
