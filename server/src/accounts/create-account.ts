import type { z } from 'zod';
import type { createAccount as contract } from '@sangam/contract/endpoints/account.ts';
import type { Role } from '@sangam/contract/roles.ts';
import { audit } from '../audit/record.ts';
import { sql, violated } from '../db/database.ts';
import { maskAccountNumber, maskVpa } from '../masking.ts';
import type { Platform } from '../platform.ts';
import { type Refusal, isRefusal, refuse } from '../refusal.ts';
import { type Viewer, scopeOf } from '../viewer.ts';
import { accountProblem, cardProblem, currencyOf, writeResources } from './account-checks.ts';

export const KEEPERS: readonly Role[] = ['superAdmin', 'admin', 'supplier'];
const USUAL_WAITING = 500;

/**
 * A new receiving account. It is closed for every product: its ownership has to be proven (a KYC record of the account,
 * reviewed by another person) before anybody can open it.
 */
export async function createAccount(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof contract.input>,
): Promise<{ readonly id: string } | Refusal> {
  if (!KEEPERS.includes(viewer.role)) return refuse('forbidden');
  const card = cardProblem(input.accountNumber, input.confirmNotCard);
  if (card) return card;
  const { CardCountry } = await platform.settings.all();
  const productIds = input.products.map(({ productId }) => productId);
  return orNumberExists(() =>
    platform.db.tx(async (tx) => {
      const supplierId = input.supplierId === undefined ? viewer.supplierId : BigInt(input.supplierId);
      if (supplierId === null) return refuse('invalidInput', { fields: 'supplierId' });
      const supplier = await tx.query(sql`
        select 1 from suppliers s where s.id = ${supplierId} ${scopeOf(viewer, { supplier: sql`s.id` })}`);
      if (supplier.length === 0) return refuse('notFound');
      const currency = await currencyOf(tx, productIds);
      if (isRefusal(currency)) return currency;
      const account = {
        supplierId,
        accountNumber: input.accountNumber,
        ifsc: input.ifsc ?? null,
        vpa: input.vpa ?? null,
        country: input.country,
        currency,
        monitorId: input.monitorId ? BigInt(input.monitorId) : null,
      };
      const problem = await accountProblem(tx, account, productIds, CardCountry);
      if (problem) return problem;
      const [row] = await tx.query<{ id: bigint }>(sql`
        insert into accounts (supplier_id, bank, owner_name, account_number, ifsc, vpa, country, sender_header, currency,
          purpose, monitor_id, daily_count_limit, daily_amount_limit, max_waiting, created_at)
        values (${supplierId}, ${input.bank}, ${input.ownerName}, ${account.accountNumber}, ${account.ifsc}, ${account.vpa},
          ${account.country}, ${input.senderHeader}, ${currency}, ${input.purpose}, ${account.monitorId},
          ${input.dailyCountLimit ?? null}, ${input.dailyAmountLimit ?? null}, ${input.maxWaiting ?? USUAL_WAITING},
          ${platform.clock.now()})
        returning id`);
      const { id } = row!;
      await tx.query(sql`insert into account_load (account_id) values (${id})`);
      await writeResources(tx, id, input.products);
      await audit(platform, tx, {
        userId: viewer.userId,
        action: 'account.create',
        subject: `account:${id}`,
        after: {
          supplierId: String(supplierId),
          bank: input.bank,
          ownerName: input.ownerName,
          accountNumber: maskAccountNumber(account.accountNumber),
          ifsc: account.ifsc,
          vpa: account.vpa && maskVpa(account.vpa),
          country: account.country,
          purpose: input.purpose,
          products: input.products,
          confirmNotCard: input.confirmNotCard ?? false,
        },
        ip: viewer.ip,
      });
      return { id: String(id) };
    }),
  );
}

/** The same number at the same bank twice would receive for two owners. */
export async function orNumberExists<Result>(work: () => Promise<Result>): Promise<Result | Refusal> {
  try {
    return await work();
  } catch (error) {
    if (violated(error) === 'accounts_number') return refuse('conflict', {}, { reason: 'accountExists' });
    throw error;
  }
}
