import type { z } from 'zod';
import { type AccountKind, kenyanPhone } from '@sangam/contract/account-kinds.ts';
import type { BalanceMode } from '@sangam/contract/chain.ts';
import type { createAccount as contract } from '@sangam/contract/endpoints/account.ts';
import { audit } from '../platform/audit/record.ts';
import { sql, violated } from '../platform/db/database.ts';
import { listedProblem } from '../screening/listed-problem.ts';
import type { Platform } from '../platform/platform.ts';
import { type Refusal, isRefusal, refuse } from '../platform/refusal.ts';
import { type Viewer, scopeOf } from '../platform/viewer.ts';
import { type AccountFacts, accountProblem, invalid, natureOf, writeResources } from './account-checks.ts';
import { hoursOf, payerKey } from './openness.ts';
import { USUAL_BALANCE_MODE, askForBalanceMode, isWeaker } from './balance-mode.ts';
import { KEEPERS, maskedNumber, maskedVpa } from './resource.ts';
import { API_KINDS, scriptProblem, sealCredentials } from './set-credentials.ts';

const USUAL_WAITING = 500;

/** Kinds of accounts whose messages always have one sender. Another bank name would let the same number in twice. */
export const RAILS: Partial<Record<AccountKind, { readonly bank: string; readonly senderHeader: string }>> = {
  usdt: { bank: 'TRON', senderHeader: 'TRON' },
  mpesa: { bank: 'M-Pesa', senderHeader: 'MPESA' },
};

/**
 * Creates an account; its products decide whether it receives or pays. It is closed for every product until its ownership is
 * proven (a KYC record of the account, reviewed by another person).
 */
export async function createAccount(
  platform: Platform,
  viewer: Viewer,
  input: z.output<typeof contract.input>,
): Promise<{ readonly id: string } | Refusal> {
  if (!KEEPERS.includes(viewer.role) || !maySayBalanceMode(viewer, input)) return refuse('forbidden');
  const { CardCountry, AllowOneMonitorAccountMoreUser: sharedMonitor } = await platform.settings.all();
  const productIds = input.products.map(({ productId }) => productId);
  return orNumberExists(() =>
    platform.db.tx(async (tx) => {
      const supplierId = input.supplierId === undefined ? viewer.supplierId : BigInt(input.supplierId);
      if (supplierId === null) return invalid('supplierId', 'needed');
      const supplier = await tx.query(sql`
        select 1 from suppliers s where s.id = ${supplierId} ${scopeOf(viewer, { supplier: sql`s.id` })}`);
      if (supplier.length === 0) return refuse('notFound');
      const has = { ifsc: input.ifsc !== undefined, vpa: input.vpa !== undefined };
      const nature = await natureOf(tx, productIds, has);
      if (isRefusal(nature)) return nature;
      const rail = RAILS[nature.kind];
      const bank = rail?.bank ?? input.bank;
      if (bank === undefined) return invalid('bank', 'needed');
      const gatewayName = nature.kind === 'gateway' ? bank.toUpperCase().replace(/[^A-Z0-9]/g, '') : null;
      const mpesaType = nature.kind === 'mpesa' ? (input.mpesaType ?? null) : null;
      const account: AccountFacts = {
        supplierId,
        ...nature,
        accountNumber: mpesaType === 'phone' ? kenyanPhone(input.accountNumber) : input.accountNumber,
        mpesaType,
        ifsc: input.ifsc ?? null,
        vpa: input.vpa ?? null,
        country: nature.kind === 'mpesa' ? 'KE' : input.country,
        senderHeader: rail?.senderHeader ?? input.senderHeader ?? gatewayName,
        monitorId: input.monitorId ? BigInt(input.monitorId) : null,
      };
      if (input.credentials && !API_KINDS.includes(account.kind)) return invalid('credentials', 'otherKind');
      const problem = await accountProblem(
        tx,
        account,
        productIds,
        { countries: CardCountry, sharedMonitor },
        input,
      );
      if (problem) return problem;
      const { ownerName: name } = input;
      const party = {
        name,
        account: account.accountNumber,
        vpa: account.vpa,
        phone: mpesaType === 'phone' ? account.accountNumber : null,
      };
      const listed = await listedProblem(platform, party, 'account', `supplier:${supplierId}`);
      if (listed) return listed;
      const provider = input.credentials?.provider ?? 'razorpayx';
      const scriptId = input.credentials?.payScriptId ? BigInt(input.credentials.payScriptId) : null;
      const noScript = await scriptProblem(tx, account.kind, provider, scriptId);
      if (noScript) return noScript;
      const now = platform.clock.now();
      const wanted = input.balanceMode ?? USUAL_BALANCE_MODE;
      const balanceMode = isWeaker(USUAL_BALANCE_MODE, wanted) ? USUAL_BALANCE_MODE : wanted;
      const hours = hoursOf(input.hours ?? null);
      const [row] = await tx.query<{ id: bigint }>(sql`
        insert into accounts (supplier_id, direction, kind, bank, owner_name, account_number, mpesa_type, ifsc, vpa, country,
          sender_header, currency, purpose, monitor_id, daily_count_limit, daily_amount_limit, max_waiting, opens_minute,
          closes_minute, merchant_whitelist, payer_whitelist, gateway_provider, pay_script_id, balance_mode, entered_by, created_at)
        values (${supplierId}, ${account.direction}, ${account.kind}, ${bank}, ${input.ownerName}, ${account.accountNumber},
          ${account.mpesaType}, ${account.ifsc}, ${account.vpa}, ${account.country}, ${account.senderHeader},
          ${account.currency}, ${input.purpose}, ${account.monitorId}, ${input.dailyCountLimit ?? null},
          ${input.dailyAmountLimit ?? null}, ${input.maxWaiting ?? USUAL_WAITING}, ${hours.opensMinute},
          ${hours.closesMinute}, ${input.merchantWhitelist ?? null}::bigint[],
          ${input.payerWhitelist?.map(payerKey) ?? null}::text[], ${provider}, ${scriptId}, ${balanceMode}, ${[viewer.userId]}, ${now})
        returning id`);
      const { id } = row!;
      // Sealed with the row's id.
      if (input.credentials)
        await tx.query(sql`
          update accounts set credentials = ${sealCredentials(platform, id, input.credentials)}, credentials_at = ${now}
          where id = ${id}`);
      await tx.query(sql`insert into account_load (account_id) values (${id})`);
      await writeResources(tx, id, input.products);
      await audit(platform, tx, {
        userId: viewer.userId,
        action: 'account.create',
        subject: `account:${id}`,
        after: {
          supplierId: String(supplierId),
          direction: account.direction,
          kind: account.kind,
          bank,
          ownerName: input.ownerName,
          accountNumber: maskedNumber(account),
          ifsc: account.ifsc,
          vpa: maskedVpa(account),
          country: account.country,
          purpose: input.purpose,
          balanceMode,
          products: input.products,
          credentialsSet: input.credentials !== undefined,
          confirmNotCard: input.confirmNotCard ?? false,
          confirmNewBranch: input.confirmNewBranch ?? false,
        },
        ip: viewer.ip,
      });
      if (wanted !== balanceMode) {
        const asked = await askForBalanceMode(platform, tx, viewer, {
          accountId: id,
          before: balanceMode,
          after: wanted,
        });
        if (isRefusal(asked)) return asked;
      }
      return { id: String(id) };
    }),
  );
}

/** The owner of an account does not decide what its messages must show before they complete orders. */
export function maySayBalanceMode(
  viewer: Viewer,
  input: { readonly balanceMode?: BalanceMode | undefined },
): boolean {
  return input.balanceMode === undefined || viewer.role !== 'supplier';
}

/** Refuses a second account with the same number at the same bank: one account would receive for two owners. */
export async function orNumberExists<Result>(work: () => Promise<Result>): Promise<Result | Refusal> {
  try {
    return await work();
  } catch (error) {
    if (violated(error) === 'accounts_number')
      return refuse('conflict', {}, { reason: 'accountExists', fields: [{ path: 'accountNumber' }] });
    throw error;
  }
}
