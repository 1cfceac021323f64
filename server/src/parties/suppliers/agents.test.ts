import * as contract from '@sangam/contract/endpoints/merchant.ts';
import { getOptions, getSupplierList } from '@sangam/contract/endpoints/party.ts';
import { getList } from '@sangam/contract/endpoints/order.ts';
import { decide, getMine } from '@sangam/contract/endpoints/todo.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../platform/db/database.ts';
import { receiveMessages } from '../../evidence/matching/receive.ts';
import { ask, askRefused } from '../../testing/ask.ts';
import { createOne, creditSms, makeShop } from '../../testing/payments.ts';
import { type TestPlatform, createTestPlatform } from '../../testing/platform.ts';
import { makeSupplier, makeUser, setTerms, viewerOf } from '../../testing/world.ts';

let node: TestPlatform;
beforeAll(async () => {
  node = await createTestPlatform();
  adminId = (await makeUser(node.platform, { role: 'admin' })).id;
  secondId = (await makeUser(node.platform, { role: 'admin' })).id;
});
afterAll(() => node.close());

let adminId: bigint;
let secondId: bigint;
const admin = () => viewerOf(node.platform, { role: 'admin', userId: adminId });
const put = (id: bigint, agentId: bigint | null) => ({ id: String(id), agentId: agentId && String(agentId) });
/** A second person agrees: the change decides who earns on the supplier's turnover. */
async function setAgent(id: bigint, agentId: bigint | null): Promise<void> {
  const { code, data } = await askRefused(node.platform, admin(), contract.updateSupplier, put(id, agentId));
  expect(code).toBe('approvalNeeded');
  const { todoId } = data as { readonly todoId: string };
  const second = viewerOf(node.platform, { role: 'admin', userId: secondId });
  await ask(node.platform, second, decide, { id: todoId, approve: true });
}
const reasonFor = async (id: bigint, agentId: bigint) =>
  (
    (await askRefused(node.platform, admin(), contract.updateSupplier, put(id, agentId))).data as {
      reason: string;
    }
  ).reason;

/** A chain of suppliers, each the agent of the next; the topmost first. */
async function chain(length: number): Promise<bigint[]> {
  const ids: bigint[] = [];
  for (let level = 0; level < length; level += 1) {
    const { supplierId } = await makeSupplier(node.platform, { deposit: 0n });
    if (level > 0) await setAgent(supplierId, ids[level - 1]!);
    ids.push(supplierId);
  }
  return ids;
}

test('at most five agents stand above a supplier, and none above itself', async () => {
  const ids = await chain(6);
  const { supplierId: seventh } = await makeSupplier(node.platform, { deposit: 0n });
  expect(await reasonFor(seventh, ids[5]!)).toBe('agentTooDeep');
  // The team below counts too.
  expect(await reasonFor(ids[0]!, seventh)).toBe('agentTooDeep');
  await setAgent(ids[5]!, null);
  await setAgent(ids[0]!, seventh);
  expect(await reasonFor(seventh, ids[3]!)).toBe('agentCircle');
  expect(await reasonFor(seventh, seventh)).toBe('agentCircle');
  expect(await reasonFor(seventh, 999_999n)).toBe('agentUnknown');
});

test('one person alone gives no agent a share but changes the rest at once; an agent set meanwhile stays', async () => {
  const [agent, rival, supplier] = [(await chain(1))[0]!, (await chain(1))[0]!, (await chain(1))[0]!];
  const agentOf = async () =>
    (
      await node.platform.db.query<{ agentId: bigint | null; name: string }>(
        sql`select agent_id as "agentId", name from suppliers where id = ${supplier}`,
      )
    )[0]!;
  const input = { ...put(supplier, agent), name: 'Renamed' };
  const asked = await askRefused(node.platform, admin(), contract.updateSupplier, input);
  expect(asked.code).toBe('approvalNeeded');
  expect(await agentOf()).toEqual({ agentId: null, name: 'Renamed' });
  await setAgent(supplier, rival);
  const second = viewerOf(node.platform, { role: 'admin', userId: secondId });
  const late = { id: (asked.data as { readonly todoId: string }).todoId, approve: true };
  expect((await askRefused(node.platform, second, decide, late)).code).toBe('conflict');
  expect((await agentOf()).agentId).toBe(rival);
  // The decider reads names: the agent that goes and the agent that comes.
  const again = await askRefused(node.platform, admin(), contract.updateSupplier, put(supplier, agent));
  const { todoId } = again.data as { readonly todoId: string };
  const [request] = await node.platform.db.query<{ payload: unknown }>(
    sql`select payload from approvals where id = ${BigInt(todoId)}`,
  );
  const names = await node.platform.db.query<{ name: string }>(
    sql`select name from suppliers where id = any(${[agent, rival]}) order by id`,
  );
  expect(request!.payload).toEqual({
    agent: names[0]!.name,
    agentBefore: names[1]!.name,
    agentId: String(agent),
    agentIdBefore: String(rival),
  });
});

test('nobody alone takes away a supplier’s agent, which would stop earning', async () => {
  const [agent, supplier] = (await chain(2)) as [bigint, bigint];
  const agentOf = async () =>
    (
      await node.platform.db.query<{ agentId: bigint | null }>(
        sql`select agent_id as "agentId" from suppliers where id = ${supplier}`,
      )
    )[0]!.agentId;
  const asked = await askRefused(node.platform, admin(), contract.updateSupplier, put(supplier, null));
  expect(asked.code).toBe('approvalNeeded');
  expect(await agentOf()).toBe(agent);
  const { todoId } = asked.data as { readonly todoId: string };
  const second = viewerOf(node.platform, { role: 'admin', userId: secondId });
  await ask(node.platform, second, decide, { id: todoId, approve: true });
  expect(await agentOf()).toBeNull();
});

test('two changes at once cannot close a circle', async () => {
  const [a] = await chain(1);
  const [b] = await chain(1);
  const results = await Promise.allSettled([setAgent(a!, b!), setAgent(b!, a!)]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('a new supplier gets its agent once a second person agrees; the list and its audit say so', async () => {
  const [agent] = await chain(1);
  const input = {
    name: 'Under one',
    account: 'underone',
    agentId: String(agent),
  };
  const { id, agentTodoId } = await ask(node.platform, admin(), contract.createSupplier, input);
  const row = async () => (await ask(node.platform, admin(), getSupplierList, { name: 'underone' })).list[0];
  expect(await row()).toMatchObject({ id, agentId: null });
  const second = viewerOf(node.platform, { role: 'admin', userId: secondId });
  const waits = { kind: 'supplierAgent', subjectId: id } as const;
  const [request] = (await ask(node.platform, second, getMine, waits)).list;
  expect(agentTodoId).toBe(request!.id);
  await ask(node.platform, second, decide, { id: request!.id, approve: true });
  expect(await row()).toMatchObject({ id, agentId: String(agent), frozen: false, enabled: true });
  await ask(node.platform, admin(), contract.updateSupplier, { id, enabled: false });
  const entries = await node.platform.db.query(sql`
    select action, after from audit_log where subject = ${`supplier:${id}`} order by id`);
  expect(entries).toMatchObject([
    { action: 'supplier.create', after: { agentId: null } },
    { action: 'supplier.update', after: { agentId: String(agent) } },
    { action: 'supplier.update', after: { agentId: String(agent), enabled: false } },
  ]);
  const alone = { name: 'Alone', account: 'alone1' };
  expect((await ask(node.platform, admin(), contract.createSupplier, alone)).agentTodoId).toBeNull();
  const none = { ...input, account: 'other1', agentId: '999999' };
  expect((await askRefused(node.platform, admin(), contract.createSupplier, none)).code).toBe('invalidInput');
});

test('an agent sees its whole team with levels, and no other; staff any', async () => {
  const [top, middle, bottom] = (await chain(3)) as [bigint, bigint, bigint];
  const team = async (supplierId: bigint, query: object = {}) =>
    (
      await ask(
        node.platform,
        viewerOf(node.platform, { role: 'supplier', supplierId }),
        contract.getSupplierProxyList,
        { ...query },
      )
    ).list.map(({ id, level }) => [BigInt(id), level]);
  expect(await team(top)).toEqual([
    [bottom, 2],
    [middle, 1],
  ]);
  expect(await team(middle, { agentId: String(top) })).toEqual([[bottom, 1]]);
  expect(await team(bottom)).toEqual([]);
  const forStaff = await ask(node.platform, admin(), contract.getSupplierProxyList, { agentId: String(top) });
  expect(forStaff.total).toBe(2);
  const all = await ask(node.platform, admin(), contract.getSupplierProxyList, { pageSize: 500 });
  expect(all.list.find(({ id }) => id === String(bottom))).toMatchObject({
    level: 2,
    agentId: String(middle),
  });
  const options = await ask(
    node.platform,
    viewerOf(node.platform, { role: 'supplier', supplierId: top }),
    getOptions,
  );
  expect(options.suppliers).toHaveLength(3);
});

test('every agent of the chain earns its own share, exactly; all see the order', async () => {
  const { platform } = node;
  const shop = await makeShop(platform);
  const [top, middle] = (await chain(2)) as [bigint, bigint];
  await setAgent(shop.supplierId, middle);
  await setTerms(platform, { ownerKind: 'agent', ownerId: middle, productId: 1010, ratePpm: 3_000 });
  await setTerms(platform, {
    ownerKind: 'agent',
    ownerId: top,
    productId: 1010,
    ratePpm: 1_000,
    fixedFee: 7n,
  });
  const order = await createOne(platform, shop.merchantId, { amount: 1_000_00n });
  await receiveMessages(platform, shop.monitor, [creditSms(platform, shop, order.payable!)]);
  const entries = await platform.db.query<{ owner: string; bucket: string; amount: bigint }>(sql`
    select l.owner_kind || ' ' || l.owner_id as owner, l.bucket, e.amount from ledger_entries e
    join postings p on p.id = e.posting_id join ledger_accounts l on l.id = e.account_id where p.order_id = ${order.id}`);
  const commission = (id: bigint) =>
    entries.find(({ owner, bucket }) => owner === `supplier ${id}` && bucket === 'commission')?.amount;
  expect(order.payable).toBe(1_000_00n);
  expect([commission(shop.supplierId), commission(middle), commission(top)]).toEqual([10_00n, 3_00n, 1_07n]);
  expect(entries.reduce((sum, { amount }) => sum + amount, 0n)).toBe(0n);
  const [row] = await platform.db.query(sql`
    select agent_commission as agents, fee from collection_orders where id = ${order.id}`);
  expect(row).toEqual({ agents: 4_07n, fee: 30_00n });
  for (const supplierId of [top, middle]) {
    const viewer = viewerOf(platform, { role: 'supplier', supplierId });
    const seen = await ask(platform, viewer, getList, { scope: 'team' });
    expect(seen.list.map(({ orderCode }) => orderCode)).toEqual([String(order.id)]);
  }
});
