import type { ComponentType, ReactNode } from 'react';

export interface DialogProps<Order> {
  readonly order: Order;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

/** What a plain dialog asks for besides consent; `said` is then what was typed. */
export type Asks = 'reason' | 'reasonIfAny';

/** One action on an order: how it looks, what it asks, what it calls. */
export type ActionKind<Order> = {
  readonly icon: ReactNode;
  /** The button that stands out: what the order most likely waits for. */
  readonly primary?: boolean;
} & (
  | { readonly Dialog: ComponentType<DialogProps<Order>> }
  | {
      readonly asks?: Asks;
      /** Done at once, without a dialog: nothing is decided and no money moves. */
      readonly atOnce?: boolean;
      readonly submit: (order: Order, said: string) => Promise<unknown>;
    }
);

export type ActionKinds<Action extends string, Order> = Readonly<Record<Action, ActionKind<Order>>>;
