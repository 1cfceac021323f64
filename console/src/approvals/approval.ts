import type { endpoints } from 'virtual:endpoints';
import type { RowOf } from '../http/call-types.ts';

/** A request that waits for a second pair of eyes, or waited. */
export type Approval = RowOf<typeof endpoints.todo.getStarted>;
export type ApprovalAnswer = Approval['actions'][number];
