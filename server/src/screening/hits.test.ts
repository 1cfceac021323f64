import * as contract from '@sangam/contract/endpoints/name-list.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { watchCauses } from '../alerts/watch.ts';
import { MINUTE } from '../platform/clock.ts';
import { sql } from '../platform/db/database.ts';
import type { Viewer } from '../platform/viewer.ts';
import { ask } from '../testing/ask.ts';
import { makeShop } from '../testing/payments.ts';
import { type TestPlatform, createTestPlatform } from '../testing/platform.ts';
import { makeUser, viewerOf } from '../testing/world.ts';
import { screenParties } from './screen-parties.ts';
import { nameScreen } from './screen.ts';

let node: TestPlatform;
let boss: Viewer;
beforeAll(async () => {
  node = await createTestPlatform();
  const { id } = await makeUser(node.platform, { role: 'superAdmin' });
  boss = viewerOf(node.platform, { role: 'superAdmin', userId: id });
});
afterAll(() => node.close());

const list = (name: string) =>
  ask(node.platform, boss, contract.addListedName, { name, reason: 'court order' });
const hits = async () => {
  await nameScreen(node.platform).flush();
  return (await ask(node.platform, boss, contract.getNameHits)).list;
};

test('each account of a listed owner is a hit of its own, judged alone; payments with the name are one hit', async () => {
  const { platform } = node;
  const ids = [];
  for (let each = 0; each < 3; each += 1) ids.push((await makeShop(platform)).accountId);
  const [first, second, third] = ids.map((id) => `account:${id}`);
  const own = (some: readonly bigint[]) =>
    platform.db.query(sql`update accounts set owner_name = 'Evil Trading' where id = any(${some})`);
  const found = async () =>
    (await hits())
      .filter(({ place }) => place === 'account')
      .map(({ id, subject, state, count }) => ({ id, subject, state, count }))
      .sort((a, b) => (a.subject < b.subject ? -1 : 1));
  await own(ids.slice(0, 2));
  await list('Evil Trading');
  await screenParties(platform);
  const both = await found();
  expect(both).toMatchObject([{ subject: first }, { subject: second }]);
  await ask(platform, boss, contract.judgeNameHit, { id: both[0]!.id, verdict: 'same', reason: 'it is he' });
  await own(ids.slice(2));
  await list('Quite Another');
  await screenParties(platform);
  expect(await found()).toMatchObject([
    { subject: first, state: 'same', count: 2 },
    { subject: second, state: 'open', count: 2 },
    { subject: third, state: 'open', count: 1 },
  ]);
  const screen = await nameScreen(platform).ready();
  for (const subject of ['order:1', 'order:2', 'order:3'])
    screen.hit({ name: 'Evil Trading' }, 'claim', subject);
  expect((await hits()).filter(({ place }) => place === 'claim')).toMatchObject([
    { subject: 'order:3', count: 3 },
  ]);
});

test('the alert about an entry closes once its hits are judged; a new hit raises it again, a judged one does not', async () => {
  const { platform, clock } = node;
  const { id } = await list('Mala Fide');
  const look = async () => {
    await nameScreen(platform).flush();
    clock.advance(MINUTE);
    await watchCauses(platform);
    return platform.db.query(sql`
      select opened_at from alerts where kind = 'nameHit' and subject = ${id} and closed_at is null`);
  };
  const screen = await nameScreen(platform).ready();
  const judge = async () => {
    for (const hit of (await hits()).filter(({ state }) => state === 'open'))
      await ask(platform, boss, contract.judgeNameHit, { id: hit.id, verdict: 'same', reason: 'it is he' });
  };
  screen.hit({ name: 'Mala Fide' }, 'collection', 'merchant:1');
  expect(await look()).toHaveLength(1);
  expect(await look()).toHaveLength(1);
  await judge();
  expect(await look()).toEqual([]);
  screen.hit({ name: 'Mala Fide' }, 'collection', 'merchant:1');
  await nameScreen(platform).flush();
  expect(await look()).toEqual([]);
  screen.hit({ name: 'Mala Fide' }, 'party', 'supplier:1');
  expect(await look()).toHaveLength(1);
  await judge();
  expect(await look()).toEqual([]);
  screen.hit({ name: 'Mala Fide' }, 'party', 'supplier:2');
  await nameScreen(platform).flush();
  // At once, not only when the watch looks.
  const all = await platform.db.query(sql`select 1 from alerts where kind = 'nameHit' and subject = ${id}`);
  expect(all).toHaveLength(3);
  await node.owner.query(sql`delete from listed_names`);
  expect(await look()).toEqual([]);
});
