import type { ReactNode } from 'react';
import type { Fact } from '../figures/details.tsx';
import { DecisionDialog } from './decision-dialog.tsx';
import type { DialogField } from './dialog-field.ts';
import { useFieldForm } from './field-form.tsx';

interface FormDialogProps {
  readonly title: string;
  readonly facts?: readonly Fact[];
  readonly fields: readonly DialogField[];
  readonly consequence?: string;
  readonly okText: string;
  readonly danger?: boolean;
  readonly width?: number;
  /** Sends what was typed: fields left empty are absent. 'stay' where something is still to be shown. */
  readonly onSubmit: (values: Readonly<Record<string, unknown>>) => Promise<'stay' | 'close' | void>;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** A decision that needs words or numbers: its fields are data, refused ones are marked where they stand. */
export function FormDialog({ fields, onSubmit, children, ...dialog }: FormDialogProps) {
  const { form, submit } = useFieldForm(fields);
  const confirm = async () => {
    const sent = await submit(onSubmit);
    return sent !== undefined && sent.answer !== 'stay';
  };
  return (
    <DecisionDialog {...dialog} onConfirm={confirm}>
      {form}
      {children}
    </DecisionDialog>
  );
}
