import { pathToFileURL } from 'node:url';
import type { Chromium } from './chromium';

/** How a page is looked at. */
export interface View {
  readonly scheme: 'light' | 'dark';
  readonly width: number;
  readonly height?: number;
  readonly scale?: number;
  readonly media?: 'screen' | 'print';
}

/** A node of the accessibility tree, as far as it matters here. */
export interface Accessible {
  readonly role: string;
  readonly name: string;
}

interface AxNode {
  readonly ignored: boolean;
  readonly role?: { readonly value: string };
  readonly name?: { readonly value: string };
}

/** One page in the browser, with all that it complains about. */
export class Tab {
  /** Errors of the console, of the page and of its security policy, and every request beside the page itself. */
  public readonly complaints: string[] = [];
  private loaded: () => void = () => undefined;

  public static async open(browser: Chromium): Promise<Tab> {
    const { targetId } = await browser.send<{ targetId: string }>('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await browser.send<{ sessionId: string }>('Target.attachToTarget', {
      targetId,
      flatten: true,
    });
    const tab = new Tab(browser, targetId, sessionId);
    for (const domain of ['Page', 'Runtime', 'Log', 'Network', 'Accessibility']) {
      await tab.send(`${domain}.enable`);
    }
    return tab;
  }

  private constructor(
    private readonly browser: Chromium,
    private readonly target: string,
    private readonly session: string,
  ) {
    browser.listen(session, (method, params) => this.hear(method, params));
  }

  public async show(file: string, view: View): Promise<void> {
    await this.look(view);
    await this.loading(() => this.send('Page.navigate', { url: pathToFileURL(file).href }));
  }

  /** Does what leads to another page, and waits until that is there. */
  public async loading(leads: () => Promise<unknown>): Promise<void> {
    const loaded = new Promise<void>((resolve) => {
      this.loaded = resolve;
    });
    await leads();
    await loaded;
  }

  public async look({ scheme, width, height = 900, scale = 1, media = 'screen' }: View): Promise<void> {
    await this.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: scale, mobile: false });
    const features = [{ name: 'prefers-color-scheme', value: scheme }];
    await this.send('Emulation.setEmulatedMedia', { media, features });
  }

  /** The value of an expression in the page. */
  public async evaluate<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.send<{
      result: { value: T };
      exceptionDetails?: { text: string; exception?: { description?: string } };
    }>('Runtime.evaluate', { expression, returnByValue: true });
    if (exceptionDetails) {
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    }
    return result.value;
  }

  public async accessible(): Promise<Accessible[]> {
    const { nodes } = await this.send<{ nodes: AxNode[] }>('Accessibility.getFullAXTree');
    return nodes
      .filter(({ ignored }) => !ignored)
      .map(({ role, name }) => ({ role: role?.value ?? '', name: name?.value ?? '' }));
  }

  public async press(key: string): Promise<void> {
    const code = { Tab: 9, Enter: 13 }[key];
    const event = { key, code: key, windowsVirtualKeyCode: code, ...(key === 'Enter' ? { text: '\r' } : {}) };
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', ...event });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
  }

  public async picture(clip?: { x: number; y: number; width: number; height: number; scale: number }): Promise<Buffer> {
    const { data } = await this.send<{ data: string }>('Page.captureScreenshot', {
      format: 'png',
      ...(clip ? { clip, captureBeyondViewport: true } : {}),
    });
    return Buffer.from(data, 'base64');
  }

  public async close(): Promise<void> {
    await this.browser.send('Target.closeTarget', { targetId: this.target });
  }

  private send<T>(method: string, params?: Record<string, unknown>): Promise<T> {
    return this.browser.send<T>(method, params, this.session);
  }

  private hear(method: string, params: Record<string, unknown>): void {
    if (method === 'Page.loadEventFired') {
      this.loaded();
    }
    if (['Runtime.consoleAPICalled', 'Runtime.exceptionThrown', 'Log.entryAdded'].includes(method)) {
      this.complaints.push(JSON.stringify(params));
    }
    const { request } = params as { request?: { url: string } };
    if (method === 'Network.requestWillBeSent' && request && !/^(file|data):/.test(request.url)) {
      this.complaints.push(`asks for ${request.url}`);
    }
  }
}
