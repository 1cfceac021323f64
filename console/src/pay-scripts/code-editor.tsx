import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import { bracketMatching, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Text } from '@codemirror/state';
import { EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { theme, type GlobalToken } from 'antd';
import { useEffect, useRef } from 'react';

export interface CodeEditorProps {
  readonly label: string;
  /** The initial text; onChange reports changes. */
  readonly initial: string;
  readonly onChange?: (text: string) => void;
  /** Marked in its line. */
  readonly problem: { readonly message: string; readonly line: number | null } | null;
}

/** A JavaScript editor with colours, line numbers and a mark at a problem. Read-only without onChange. */
export function CodeEditor({ label, initial, onChange, problem }: CodeEditorProps) {
  const { token } = theme.useToken();
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const change = useRef(onChange);
  useEffect(() => {
    change.current = onChange;
  }, [onChange]);
  const isReadOnly = onChange === undefined;
  /** The typed text, kept for when the editor is rebuilt in other colours or another language. */
  const typed = useRef<{ readonly initial: string; readonly text: Text }>(null);

  useEffect(() => {
    const editor = new EditorView({
      parent: place.current!,
      state: EditorState.create({
        doc: typed.current?.initial === initial ? typed.current.text : initial,
        extensions: [
          lineNumbers(),
          history(),
          bracketMatching(),
          javascript(),
          lintGutter(),
          keymap.of([...defaultKeymap, ...historyKeymap]),
          EditorState.readOnly.of(isReadOnly),
          EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) change.current?.(update.state.doc.toString());
          }),
          look(token),
          syntaxHighlighting(coloursOf(token)),
        ],
      }),
    });
    view.current = editor;
    return () => {
      typed.current = { initial, text: editor.state.doc };
      editor.destroy();
    };
  }, [initial, isReadOnly, label, token]);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const { doc } = editor.state;
    const line = problem?.line ? doc.line(Math.min(problem.line, doc.lines)) : undefined;
    const marks =
      problem && line
        ? [{ from: line.from, to: line.to, severity: 'error' as const, message: problem.message }]
        : [];
    editor.dispatch(setDiagnostics(editor.state, marks));
  }, [problem]);

  return <div ref={place} />;
}

function look(token: GlobalToken) {
  return EditorView.theme({
    '&': {
      height: '420px',
      fontSize: '12px',
      color: token.colorText,
      backgroundColor: token.colorBgContainer,
      border: `1px solid ${token.colorBorder}`,
    },
    '.cm-gutters': {
      color: token.colorTextSecondary,
      backgroundColor: token.colorFillQuaternary,
      border: 'none',
    },
    '.cm-content': { caretColor: token.colorText },
    '.cm-cursor': { borderLeftColor: token.colorText },
    '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: `${token.colorPrimaryBgHover} !important`,
    },
  });
}

function coloursOf(token: GlobalToken): HighlightStyle {
  return HighlightStyle.define([
    { tag: [tags.keyword, tags.controlKeyword, tags.operatorKeyword], color: token.purple7 },
    { tag: [tags.string, tags.regexp, tags.special(tags.string)], color: token.green7 },
    { tag: [tags.number, tags.bool, tags.null], color: token.orange7 },
    { tag: [tags.comment], color: token.colorTextSecondary },
    { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: token.blue7 },
  ]);
}
