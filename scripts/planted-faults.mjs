// Faults that a security review once proved. `npm run soak:model -- --plant NUMBER|all` puts them back one at a time, and the
// attacker models must find each. A fault consists of a text of today's code and its replacement. Nothing is written to the tree.

/** By the fault's number: one or more of [file, today's text, text with the fault]. */
export const FAULTS = {
  // A supplier's own message counts as evidence, although no chain corroborates it.
  1: [['evidence/trusted-chain/statements.ts', "if (stater === 'staff') return", 'if (stater) return']],
  // A payment that states the code of an order that is not open completes another order by its amount.
  2: [['evidence/matching/decide.ts', '!isNamed(evidence) && codes.length > 0', 'false as boolean']],
  // The second wording of a payment completes another order, and the order's amount is free again at once.
  3: [
    [
      'evidence/matching/decide.ts',
      'const paidAt = lastOther(credit, known?.paid);',
      'const paidAt = lastOther(credit, undefined);',
    ],
    [
      'evidence/matching/decide.ts',
      "const mayBePaid = mayBeAgain(credit, known, 'paid', now)",
      "const mayBePaid = mayBeAgain(credit, undefined, 'paid', now)",
    ],
    [
      'collection/store.ts',
      'and (until > ${at} or stated_at > ${after(at, -SECOND_WORDING)})',
      'and (until > ${at} or stated_at > ${after(at, -SECOND_WORDING)}) and false',
    ],
  ],
  // A message that contradicts a booking is treated as a duplicate.
  4: [
    [
      'evidence/matching/booked.ts',
      "if (!isSame) return { is: 'contradiction', orderId };",
      "if (!isSame) return { is: 'repeat' };",
    ],
    [
      'evidence/matching/booked.ts',
      "use.isOffset)\n    return { is: 'contradiction', orderId };",
      "use.isOffset)\n    return { is: 'repeat' };",
    ],
  ],
  // Orders in their grace time do not count against the deposit.
  8: [
    ['accounts/allocation-pool.ts', 'l.waiting_amount + l.grace_amount', 'l.waiting_amount'],
    ['accounts/load.ts', 'l.waiting_amount + l.grace_amount', 'l.waiting_amount'],
  ],
  // A held credit stays with the order that its amount had pointed to.
  9: [
    [
      'evidence/matching/payer-utr.ts',
      'if (!credit) await renameHolds(platform, tx, recorded.waiting, utr);',
      '',
    ],
  ],
  // A credit of any age completes the order whose payer names it.
  10: [
    [
      'evidence/matching/join.ts',
      'return credit.movedAt.getTime() < allocatedAt',
      'return false as boolean && credit.movedAt.getTime() < allocatedAt',
    ],
  ],
  // A supplier's claim without proof takes the reference.
  15: [['payout/complete.ts', 'utr === null || unproven || elsewhere', 'utr === null || elsewhere']],
  // A supplier's result file has the authority of the person who confirms it.
  16: [
    ['payout/batch/confirm.ts', "row.isSupplierWord ? 'supplier' : staterOf(viewer)", 'staterOf(viewer)'],
    [
      'payout/batch/confirm.ts',
      'unproven: !debits.has(order.id),',
      "unproven: viewer.role === 'supplier' && !debits.has(order.id),",
    ],
  ],
  // Moving money and sending a batch do not check for a freeze.
  17: [
    ['treasury/move.ts', "return refuse('conflict', {}, { reason: 'frozen' });", 'void 0;'],
    ['payout/batch/send.ts', 'if (await isFrozen(tx, batch, rows)) return', 'if (false as boolean) return'],
  ],
  // 'Reversed' in a file is executed at once, for any role of the desk.
  18: [
    ['payout/batch/confirm.ts', '!ADMINS.includes(viewer.role)) return', '(false as boolean)) return'],
    [
      'payout/batch/confirm.ts',
      "namesFile && viewer.role === 'superAdmin' && (await isSecond(",
      'viewer.role.length > 0 || (await isSecond(',
    ],
  ],
  // Nobody is notified that the bank rejected a payout that counts as paid.
  20: [['payout/batch/upload-result.ts', 'await notifyUnpaid(', '((..._) => notifyUnpaid.name)(']],
  // A row's action is applied to whatever state the order has by then.
  21: [
    [
      'payout/actions.ts',
      'version === undefined || version === payoutVersion(order)',
      'version === undefined || version.length > 0',
    ],
  ],
  // The gateway is not asked about a refunded payout.
  22: [
    [
      'payout/ask-gateways.ts',
      'if (!proves || !(await proveByGateway(',
      "if (platform.config.host === '' && !(await proveByGateway(",
    ],
  ],
  // A payment completes the order it names, although another wording of it has completed one by its amount.
  28: [
    [
      'evidence/matching/decide.ts',
      'isNamed(evidence) && waitedWhenPaid(',
      'false as boolean && waitedWhenPaid(',
    ],
  ],
  // A message that states its minute and is reported late is not taken for a possible payment of that minute.
  29: [['evidence/matching/decide.ts', '|| credit.at.getTime() <= last + SLACK', '']],
  // One person gives a payment that has completed an order, in another wording, to a second order.
  30: [
    [
      'evidence/matching/supplement.ts',
      'if (credit && (await isSpentOtherwise(platform, tx, order.accountId, credit))) return true;',
      '',
    ],
  ],
};

/** A Vite plugin that reads the files with the fault in them. */
export function planted(number) {
  const fault = FAULTS[number];
  if (!fault) throw new Error(`There is no fault ${number}.`);
  return {
    name: 'planted-fault',
    enforce: 'pre',
    transform(code, id) {
      const changes = fault.filter(([file]) => id.endsWith(`/server/src/${file}`));
      return changes.length === 0 ? undefined : changes.reduce(put, code);
    },
  };
}

function put(code, [file, today, before]) {
  if (code.split(today).length !== 2) throw new Error(`${file} does not say once: ${today}`);
  return code.replace(today, () => before);
}

/** Faults whose text is not exactly once in today's code: they would change nothing. `read` returns a file of server/src. */
export function staleFaults(faults, read) {
  return Object.entries(faults).flatMap(([number, changes]) =>
    changes
      .filter(([file, today]) => read(file).split(today).length !== 2)
      .map(([file, today]) => `fault ${number}: ${file} does not say once: ${today}`),
  );
}
