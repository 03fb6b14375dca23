// Around a page that "otel-eval view" serves: loads it anew when its file has changed, and says when nobody serves it any more.
{
  const frame = document.querySelector('iframe');
  const ended = document.getElementById('ended');
  const events = new EventSource('/events');

  function reload() {
    try {
      frame.contentWindow.location.reload();
    } catch {
      // A file of HTML is shown in an origin of its own, which can be left and not reached into.
      frame.setAttribute('src', frame.getAttribute('src'));
    }
  }

  events.addEventListener('changed', ({ data }) => {
    if (frame?.getAttribute('src') === data) reload();
  });
  // Files came or went: their numbers are others now.
  events.addEventListener('listed', () => location.replace('/'));
  events.addEventListener('open', () => {
    ended.textContent = '';
  });
  events.addEventListener('error', () => {
    ended.textContent = 'otel-eval view has ended: this page is no longer up to date.';
  });
  frame?.addEventListener('load', () => frame.focus());
}
