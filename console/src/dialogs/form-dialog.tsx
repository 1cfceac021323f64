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
  /** Sends the typed values; empty fields are absent. 'stay' keeps the dialog open because there is more to show. */
  readonly onSubmit: (values: Readonly<Record<string, unknown>>) => Promise<'stay' | 'close' | void>;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** A decision with a form: its fields are data, and refused fields are marked in the form. */
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
