/**
 * Requests of the matrix are made from the examples and are meant to succeed for anyone who may send them. These cannot,
 * no matter who sends them.
 */
export const failsForEverybody: Readonly<Record<string, string>> = {
  'GET /v1/responses': 'it is opened as a WebSocket',
  ...Object.fromEntries(
    ['GET', 'DELETE']
      .map((method) => `${method} /v1/responses/{response_id}`)
      .concat('GET /v1/responses/{response_id}/input_items', 'POST /v1/responses/{response_id}/cancel')
      .map((route) => [route, 'a stored response is only for the key that made it']),
  ),
  'GET /assets/*': 'no file has this name',
  'GET /api/auth/invitation': 'the token of the example is nobody’s',
  'POST /api/auth/invitation/accept': 'the token of the example is nobody’s',
  'POST /api/auth/sign-in/email': 'the account of the example does not exist',
  'POST /api/auth/sign-in/social': 'single sign-on is not set up',
  'POST /api/initiatives/{id}/standup/invite': 'the person of the example is no member of the group',
  'POST /api/console/frontend-errors': 'the ID of the example is nobody’s',
  'POST /api/v1/sql/databases/{name}/setup': 'nothing listens at its address',
  'POST /api/auth/change-password': 'the passwords are not valid, or sessions would end',
  ...Object.fromEntries(
    ['github', 'gitlab', 'alertmanager', 'grafana', 'generic']
      .flatMap((kind) => [`POST /api/webhooks/${kind}`, `POST /api/webhooks/${kind}/{hook_id}`])
      .map((route) => [route, 'the example is not signed']),
  ),
}
