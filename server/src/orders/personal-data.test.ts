import { getCallbackDetailList } from '@sangam/contract/endpoints/callback.ts';
import { getEntity } from '@sangam/contract/endpoints/entity.ts';
import { getLostOrders } from '@sangam/contract/endpoints/lost.ts';
import { getDetail, getList, getPictures } from '@sangam/contract/endpoints/order.ts';
import { getBankStatementList } from '@sangam/contract/endpoints/party.ts';
import { getPayScriptCall } from '@sangam/contract/endpoints/pay-script.ts';
import { getPayoutDetail, getPayoutList } from '@sangam/contract/endpoints/payout.ts';
import type { Endpoint } from '@sangam/contract/endpoint.ts';
import { PERSONAL_LISTS, type PersonalData, seesWhole } from '@sangam/contract/personal-data.ts';
import { ROLES, type Role } from '@sangam/contract/roles.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { ROUTES } from '../app/routes.ts';
import { sql } from '../platform/db/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask } from '../testing/ask.ts';
import { createOne, makeShop, type Shop } from '../testing/payments.ts';
import { makePayoutShop, payOut, type PayoutShop } from '../testing/payouts.ts';
import { createTestPlatform, type TestPlatform } from '../testing/platform.ts';
import { makeUser, viewerOf } from '../testing/world.ts';

/** At each place with personal data, each role sees it unmasked or masked as the table says (contract/src/personal-data.ts). */

const PAYER = 'Meera Iyer';
const PAYEE = 'Asha Rao';
const ACCOUNT = '50100123456789';
const VPA = 'meera.iyer@oksbi';

let node: TestPlatform;
let shop: Shop;
let payouts: PayoutShop;
let order: string;
let payout: string;
let scriptCall: string;
beforeAll(async () => {
  node = await createTestPlatform();
  const { platform } = node;
  shop = await makeShop(platform);
  payouts = await makePayoutShop(platform);
  const made = await createOne(platform, shop.merchantId, { userName: PAYER });
  order = String(made.id);
  payout = String((await payOut(platform, payouts.merchantId)).id);
  const at = node.clock.now();
  const id = () => platform.ids.next();
  await platform.db.query(sql`update waiting_orders set payer_utr = '1' where order_id = ${made.id}`);
  await platform.db.query(sql`update collection_orders set payer_utr = '1' where id = ${made.id}`);
  await platform.db.query(sql`
    insert into messages (id, monitor_id, external_id, kind, sender, text, account_id, supplier_id, direction, currency, amount, state,
      order_id, received_at, reported_at)
    values (${id()}, ${shop.monitor.id}, 'told', 'sms', 'VM-HDFCBK-S', ${`Rs.500 from ${VPA}`}, ${shop.accountId},
      ${made.supplierId}, 'credit', 'INR', 50000, 'matched', ${made.id}, ${at}, ${at})`);
  await platform.db.query(sql`
    insert into order_pictures (id, order_id, source, mime, bytes, added_at) values (${id()}, ${made.id}, 'payer', 'image/png', 'x', ${at})`);
  const callback = id();
  await platform.db.query(sql`
    insert into callbacks (id, order_id, merchant_id, place, kind, url, transport, fields, created_at)
    values (${callback}, ${made.id}, ${shop.merchantId}, 1, 'paid', 'http://127.0.0.1:9/n', 'json', '{}', ${at})`);
  await platform.db.query(sql`
    insert into callback_attempts (id, callback_id, order_id, http_method, url, request, status, answer, duration_ms, created_at)
    values (${id()}, ${callback}, ${made.id}, 'POST', 'http://127.0.0.1:9/n', '{}', 400, ${`unknown payer ${VPA}`}, 5, ${at})`);
  const { id: userId } = await makeUser(platform, { role: 'superAdmin' });
  await platform.db.query(sql`
    with script as (insert into pay_scripts (name, created_by, created_at) values ('told', ${userId}, ${at}) returning id)
    insert into pay_script_versions (script_id, version, code, origins, note, created_by, created_at)
    select id, 1, '', '{}', '', ${userId}, ${at} from script`);
  const input = JSON.stringify({ orderCode: payout, payee: { name: PAYEE, account: ACCOUNT } });
  const fetches = JSON.stringify([
    {
      request: {
        method: 'POST',
        url: 'https://pay.example/v1',
        headers: {},
        body: `beneficiary=${PAYEE}&to=${ACCOUNT}`,
      },
      answer: { status: 200, body: `{"payee":"${VPA}"}` },
      durationMs: 1,
    },
  ]);
  scriptCall = String(id());
  await platform.db.query(sql`
    insert into pay_script_calls (id, script_id, version, function, account_id, order_id, input, output, fetches, logs, duration_ms)
    select ${scriptCall}::bigint, id, 1, 'payout', ${shop.accountId}, ${payout}::bigint, ${input}::json, '{"accepted":"x"}', ${fetches}::json,
      ${[`paying ${ACCOUNT}`]}::text[], 5 from pay_scripts where name = 'told'`);
});
afterAll(() => node.close());

interface Place {
  readonly data: PersonalData;
  readonly endpoint: Endpoint;
  readonly query: () => Readonly<Record<string, unknown>>;
  readonly secrets: readonly string[];
}

const ofOrder = () => ({ orderCode: order });
const ofPayout = () => ({ orderCode: payout });
const PLACES: readonly Place[] = [
  { data: 'payerName', endpoint: getList, query: ofOrder, secrets: [PAYER] },
  { data: 'payerName', endpoint: getDetail, query: ofOrder, secrets: [PAYER] },
  { data: 'payerName', endpoint: getLostOrders, query: () => ({}), secrets: [PAYER] },
  { data: 'payee', endpoint: getPayoutList, query: ofPayout, secrets: [PAYEE, ACCOUNT] },
  { data: 'payee', endpoint: getPayoutDetail, query: ofPayout, secrets: [PAYEE, ACCOUNT] },
  { data: 'text', endpoint: getBankStatementList, query: () => ({}), secrets: [VPA] },
  { data: 'text', endpoint: getDetail, query: ofOrder, secrets: [VPA] },
  { data: 'text', endpoint: getCallbackDetailList, query: ofOrder, secrets: [VPA] },
  {
    data: 'scriptCall',
    endpoint: getPayScriptCall,
    query: () => ({ id: scriptCall }),
    secrets: [PAYEE, ACCOUNT, VPA],
  },
  {
    data: 'record',
    endpoint: getEntity,
    query: () => ({ kind: 'payoutOrder', id: payout }),
    secrets: [PAYEE, ACCOUNT],
  },
];

const mayCall = ({ access }: Endpoint, role: Role) =>
  access === 'anyUser' || (access as readonly Role[]).includes(role);

const CELLS = PLACES.flatMap((place) =>
  ROLES.filter((role) => mayCall(place.endpoint, role)).map(
    (role) => [role, place.endpoint.path, place.data, place] as const,
  ),
);

test.each(CELLS)(
  '%s: %s shows %s as the table says',
  async (role, _path, data, { endpoint, query, secrets }) => {
    const shown = JSON.stringify(await ask(node.platform, viewer(role, data), endpoint, query()));
    const isThere = seesWhole({ role }, data);
    expect(secrets.map((secret) => shown.includes(secret))).toEqual(secrets.map(() => isThere));
  },
);

test.each(ROLES.filter((role) => mayCall(getList, role)))(
  '%s: a filter on a name that its rows mask finds nothing',
  async (role) => {
    const found = async (endpoint: Endpoint, data: PersonalData, userName: string) =>
      ((await ask(node.platform, viewer(role, data), endpoint, { userName })) as { list: unknown[] }).list
        .length;
    expect(await found(getList, 'payerName', 'Meera')).toBe(seesWhole({ role }, 'payerName') ? 1 : 0);
    expect(await found(getPayoutList, 'payee', 'Asha')).toBe(seesWhole({ role }, 'payee') ? 1 : 0);
  },
);

test.each(ROLES.filter((role) => mayCall(getDetail, role)))(
  '%s: a screenshot is shown as the table says',
  async (role) => {
    const seen = seesWhole({ role }, 'paymentPicture');
    const { order: shown } = await ask(node.platform, viewer(role, 'paymentPicture'), getDetail, ofOrder());
    expect(shown.pictures).toBe(seen ? 1 : 0);
    expect(mayCall(getPictures, role)).toBe(seen);
  },
);

/** Names of fields that hold personal data, in whatever answer. */
const NAMES = [
  'userName',
  'cardNumber',
  'vpa',
  'usdtAddress',
  'phone',
  'payer',
  'text',
  'sender',
  'request',
  'answer',
];
/** Lists with fields of these names that are left out, and why. */
const NOT_COUNTED: Readonly<Record<string, string>> = {
  '/v1.0/alert/getList': 'sentences of ours',
  '/v1.0/bot/getInstructions': 'what parties say in their groups',
  '/v1.0/bot/getMessages': 'sentences of ours',
  '/v1.0/resource/getList': 'masked for everybody but its owner',
  '/v1.0/withdrawal/getList': 'own accounts of the merchant that reads it, masked',
};

test('every list with personal data is among those whose export counts its rows', () => {
  const lists = ROUTES.flatMap(({ endpoint }) => {
    const { output } = endpoint;
    if (!(output instanceof z.ZodObject) || !('list' in output.shape && 'nextCursor' in output.shape))
      return [];
    const row = (output.shape['list'] as z.ZodArray).element;
    const options = row instanceof z.ZodUnion ? row.options : [row];
    const fields = new Set(
      options.flatMap((each) => (each instanceof z.ZodObject ? Object.keys(each.shape) : [])),
    );
    const personal = NAMES.filter((name) => fields.has(name));
    return personal.length === 0 || endpoint.path in NOT_COUNTED
      ? []
      : [[endpoint.path, personal.toSorted()] as const];
  });
  const known = Object.entries(PERSONAL_LISTS).map(
    ([path, { fields }]) => [path, [...fields].toSorted()] as const,
  );
  expect(Object.fromEntries(lists)).toEqual(Object.fromEntries(known));
});

function viewer(role: Role, data: PersonalData): Viewer {
  const { supplierId, merchantId } = data === 'payee' ? payouts : shop;
  return viewerOf(node.platform, {
    role,
    ...(role === 'supplier' ? { supplierId } : {}),
    ...(role === 'merchant' ? { merchantId } : {}),
  });
}
