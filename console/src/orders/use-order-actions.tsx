import { LockOutlined, PauseCircleOutlined, PlayCircleOutlined, UnlockOutlined } from '@ant-design/icons';
import { useQueryClient } from '@tanstack/react-query';
import { App } from 'antd';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isHandled } from '../http/call-error.ts';
import { useNames, type NameGroup } from '../language/names.ts';
import type { RowAction } from '../operator-table/list-definition.ts';
import { type Hold, HoldDialog, useHoldsOf } from '../parties/hold-dialog.tsx';
import type { ActionKinds } from './action-kinds.ts';
import { AskingDialog } from './asking-dialog.tsx';
import type { AnyOrder } from './order.ts';

export interface OrderActions<Order> {
  /** The actions that the server allows this viewer on the order now. */
  readonly of: (order: Order) => readonly RowAction[];
  /** Code of the order whose action is running without a dialog. */
  readonly running: string | undefined;
  readonly dialogs: ReactNode;
}

const HOLD_ICONS: Readonly<Record<Hold, ReactNode>> = {
  freeze: <PauseCircleOutlined aria-hidden />,
  unfreeze: <PlayCircleOutlined aria-hidden />,
  legalHold: <LockOutlined aria-hidden />,
  liftLegalHold: <UnlockOutlined aria-hidden />,
};

/**
 * The actions of one direction. `consequences` is the group of texts that describe what an action will do. `stale` lists the calls
 * whose answers an action makes out of date.
 */
export function useOrderActions<
  Action extends string,
  Order extends AnyOrder & { readonly actions: readonly Action[] },
>(
  kinds: ActionKinds<Action, Order>,
  consequences: NameGroup,
  stale: readonly { readonly path: string }[],
): OrderActions<Order> {
  const { t } = useTranslation();
  const name = useNames();
  const { message } = App.useApp();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<{ readonly action: Action; readonly order: Order }>();
  const [running, setRunning] = useState<string>();
  const [held, setHeld] = useState<{ readonly hold: Hold; readonly order: Order }>();
  const holdsOf = useHoldsOf();

  /** Reloads the rows: nothing is shown as done until the server's own rows show it. */
  const done = async (action: Action, { orderCode }: Order) => {
    message.success(
      action === 'callback'
        ? t('orders.callbackRequested', { orderCode })
        : t('orders.done', { action: name('actions', action), orderCode }),
    );
    await Promise.all(
      // The first part of every key of useCall is the path.
      stale.map(({ path }) => queries.invalidateQueries({ queryKey: [path] })),
    );
  };

  const runAtOnce = async (action: Action, order: Order, submit: () => Promise<unknown>) => {
    setRunning(order.orderCode);
    try {
      await submit();
      await done(action, order);
    } catch (error) {
      if (!isHandled(error))
        message.error(`${order.orderCode}: ${error instanceof Error ? error.message : String(error)}`);
    } finally {
      setRunning(undefined);
    }
  };

  const start = (action: Action, order: Order) => {
    const kind = kinds[action];
    if ('submit' in kind && kind.atOnce) void runAtOnce(action, order, () => kind.submit(order, ''));
    else setAsked({ action, order });
  };

  const dialogOf = ({ action, order }: NonNullable<typeof asked>): ReactNode => {
    const kind = kinds[action];
    const common = { order, onDone: () => done(action, order), onClose: () => setAsked(undefined) };
    if ('Dialog' in kind) return <kind.Dialog {...common} />;
    return (
      <AskingDialog<Order>
        {...common}
        action={name('actions', action)}
        consequence={name(consequences, action)}
        asks={kind.asks}
        submit={kind.submit}
      />
    );
  };

  return {
    of: (order) => [
      ...order.actions.flatMap((action) => {
        // A newer server may send actions that this page does not know.
        const kind = kinds[action] as (typeof kinds)[Action] | undefined;
        if (!kind) return [];
        return {
          key: action,
          label: name('actions', action),
          icon: kind.icon,
          primary: kind.primary ?? false,
          run: () => start(action, order),
        };
      }),
      ...holdsOf(order).map((hold) => ({
        key: hold,
        label: t(`holds.${hold}`),
        icon: HOLD_ICONS[hold],
        run: () => setHeld({ hold, order }),
      })),
    ],
    running,
    dialogs: (
      <>
        {asked && dialogOf(asked)}
        {held && (
          <HoldDialog
            party={{ kind: 'order', id: held.order.id, name: held.order.orderCode }}
            hold={held.hold}
            stale={stale}
            onClose={() => setHeld(undefined)}
          />
        )}
      </>
    ),
  };
}
