import { endpoints } from 'virtual:endpoints';
import { useCall } from '../http/use-call.ts';
import { useViewer } from '../session/viewer.ts';
import type { Party } from './party.ts';

/** The merchant or supplier that the viewer belongs to, with its balances; undefined for staff. */
export function useOwnParty(): Pick<Party, 'kind' | 'id' | 'name' | 'balances'> | undefined {
  const { name, merchantId, supplierId } = useViewer();
  const id = merchantId ?? supplierId;
  const { data } = useCall(endpoints.user.getTotalBalance, {}, { enabled: id !== undefined });
  return id === undefined
    ? undefined
    : { kind: merchantId === undefined ? 'supplier' : 'merchant', id, name, balances: data?.list ?? [] };
}
