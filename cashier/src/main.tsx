import './ground.css';
import './order.css';
import './after-paying.css';
import { render } from 'preact';
import { LanguageProvider } from './language.tsx';
import { Page } from './page.tsx';

/** The address is `/pay/<token>`; what cannot be a token is sent all the same, for the server to refuse. */
const token = location.pathname.replace(/\/+$/, '').split('/').pop() ?? '';
const root = document.getElementById('cashier');

if (root) {
  render(
    <LanguageProvider>
      <Page token={token} />
    </LanguageProvider>,
    root,
  );
}
