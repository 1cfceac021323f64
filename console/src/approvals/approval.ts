import type { endpoints } from 'virtual:endpoints';
import type { RowOf } from '../http/call-types.ts';

/** A request for a second person, waiting or answered. */
export type Approval = RowOf<typeof endpoints.todo.getStarted>;
export type ApprovalAnswer = Approval['actions'][number];
