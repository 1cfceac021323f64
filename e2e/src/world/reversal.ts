import { decide, getMine } from '@sangam/contract/endpoints/todo.ts';
import { callAs } from './session.ts';

/** The superAdmin approves the reversal of an order that somebody else has asked for. */
export async function approveReversal(orderCode: string): Promise<void> {
  const { list } = await callAs('superadmin', getMine, { kind: 'reversal' });
  const asked = list.find(({ subjectId }) => subjectId === orderCode);
  if (!asked) throw new Error(`nobody has asked to reverse ${orderCode}`);
  await callAs('superadmin', decide, { id: asked.id, approve: true });
}
