import type { ComponentType, ReactNode } from 'react';

export interface DialogProps<Order> {
  readonly order: Order;
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

/** What a plain dialog asks for besides consent. `said` is the typed text. */
export type Asks = 'reason' | 'reasonIfAny';

/** One action on an order: its icon, the input it asks for, and its call. */
export type ActionKind<Order> = {
  readonly icon: ReactNode;
  /** The most likely next action; its button stands out. */
  readonly primary?: boolean;
} & (
  | { readonly Dialog: ComponentType<DialogProps<Order>> }
  | {
      readonly asks?: Asks;
      /** Runs without a dialog: the action decides nothing and moves no money. */
      readonly atOnce?: boolean;
      readonly submit: (order: Order, said: string) => Promise<unknown>;
    }
);

export type ActionKinds<Action extends string, Order> = Readonly<Record<Action, ActionKind<Order>>>;
