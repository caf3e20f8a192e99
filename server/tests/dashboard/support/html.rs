//! Reads pages: their text, and their forms as a browser would send them.

use html5gum::{Token, Tokenizer};

/// A page that was read.
#[derive(Debug, Default)]
pub(crate) struct Html {
    /// Its text, in one line.
    pub(crate) text: String,
    /// Targets of its links.
    pub(crate) links: Vec<String>,
    forms: Vec<Form>,
    /// Tags with their attributes, in order.
    pub(crate) tags: Vec<(String, Vec<(String, String)>)>,
}

/// A form with what stands in its fields.
#[derive(Debug, Clone, Default)]
pub(crate) struct Form {
    pub(crate) method: String,
    pub(crate) action: String,
    fields: Vec<Field>,
}

#[derive(Debug, Clone)]
struct Field {
    name: String,
    value: String,
    /// False for a box that is not set and an option that is not chosen.
    is_sent: bool,
    is_option: bool,
}

impl Html {
    pub(crate) fn read(page: &str) -> Self {
        let mut html = Self::default();
        let (mut select, mut area) = (None::<(String, usize)>, None::<Field>);
        for Ok(token) in Tokenizer::new(page) {
            match token {
                Token::StartTag(tag) => {
                    let name = string(&tag.name);
                    let attributes: Vec<_> =
                        tag.attributes.iter().map(|(name, value)| (string(name), string(value))).collect();
                    let get = |wanted: &str| {
                        attributes.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone())
                    };
                    match name.as_str() {
                        "a" => html.links.extend(get("href")),
                        "form" => html.forms.push(Form {
                            method: get("method").unwrap_or_else(|| "get".to_owned()),
                            action: get("action").unwrap_or_default(),
                            fields: Vec::new(),
                        }),
                        "input" => {
                            let kind = get("type").unwrap_or_default();
                            let is_sent = !matches!(kind.as_str(), "checkbox" | "radio") || get("checked").is_some();
                            html.field(get("name"), get("value").unwrap_or_default(), is_sent, kind == "radio");
                        }
                        // A button says which of them was pressed.
                        "button" if get("name").is_some() => {
                            html.field(get("name"), get("value").unwrap_or_default(), false, true);
                        }
                        "select" => select = Some((get("name").unwrap_or_default(), html.count())),
                        "option" => {
                            if let Some((name, first)) = &select {
                                let is_sent = get("selected").is_some() || html.count() == *first;
                                let value = get("value").unwrap_or_default();
                                html.field(Some(name.clone()), value, is_sent, true);
                            }
                        }
                        "textarea" => {
                            let name = get("name").unwrap_or_default();
                            area = Some(Field { name, value: String::new(), is_sent: true, is_option: false });
                        }
                        _ => {}
                    }
                    html.tags.push((name, attributes));
                }
                Token::EndTag(tag) => {
                    if string(&tag.name) == "textarea"
                        && let (Some(field), Some(form)) = (area.take(), html.forms.last_mut())
                    {
                        let value = field.value.strip_prefix('\n').unwrap_or(&field.value).to_owned();
                        form.fields.push(Field { value, ..field });
                    }
                    if string(&tag.name) == "select" {
                        select = None;
                    }
                }
                Token::String(text) => {
                    let text = string(&text);
                    match &mut area {
                        Some(field) => field.value.push_str(&text),
                        None => html.text.push_str(&text),
                    }
                }
                _ => {}
            }
        }
        html.text = html.text.split_whitespace().collect::<Vec<_>>().join(" ");
        html
    }

    fn count(&self) -> usize {
        self.forms.last().map_or(0, |form| form.fields.len())
    }

    fn field(&mut self, name: Option<String>, value: String, is_sent: bool, is_option: bool) {
        if let (Some(name), Some(form)) = (name, self.forms.last_mut()) {
            form.fields.push(Field { name, value, is_sent, is_option });
        }
    }

    /// The form whose action holds this text.
    #[track_caller]
    pub(crate) fn form(&self, action: &str) -> Form {
        let found = self.forms.iter().find(|form| form.action.contains(action));
        found.unwrap_or_else(|| panic!("no form to `{action}` in: {}", self.text)).clone()
    }

    /// The form to this path that changes something.
    #[track_caller]
    pub(crate) fn post_form(&self, action: &str) -> Form {
        let found = self.forms.iter().find(|form| form.action.contains(action) && form.method == "post");
        found.unwrap_or_else(|| panic!("no form that posts to `{action}` in: {}", self.text)).clone()
    }

    /// The form with exactly this action.
    #[track_caller]
    pub(crate) fn form_to(&self, action: &str) -> Form {
        let found = self.forms.iter().find(|form| form.action == action);
        found.unwrap_or_else(|| panic!("no form to `{action}` in: {}", self.text)).clone()
    }

    /// Returns true if there is such a form.
    pub(crate) fn has_form(&self, action: &str) -> bool {
        self.forms.iter().any(|form| form.action.contains(action))
    }

    /// All forms that change something.
    pub(crate) fn posts(&self) -> Vec<Form> {
        self.forms.iter().filter(|form| form.method == "post").cloned().collect()
    }

    /// Actions of all forms.
    pub(crate) fn actions(&self) -> Vec<&str> {
        self.forms.iter().map(|form| form.action.as_str()).collect()
    }
}

impl Form {
    /// Types into a field, or chooses an option.
    #[track_caller]
    pub(crate) fn set(mut self, name: &str, value: &str) -> Self {
        let mut fields = self.fields.iter_mut().filter(|field| field.name == name).peekable();
        assert!(fields.peek().is_some(), "no field `{name}` in the form to {}", self.action);
        for field in fields {
            if field.is_option {
                field.is_sent = field.value == value;
            } else {
                value.clone_into(&mut field.value);
                field.is_sent = true;
            }
        }
        self
    }

    /// Types the same into every field, and sets every box; of what is chosen, it stays as it is.
    pub(crate) fn fill(mut self, value: &str) -> Self {
        for field in self.fields.iter_mut().filter(|field| !field.is_option && field.is_sent) {
            value.clone_into(&mut field.value);
        }
        self
    }

    /// Sets the box of this value.
    #[track_caller]
    pub(crate) fn check(mut self, name: &str, value: &str) -> Self {
        let found = self.fields.iter_mut().find(|field| field.name == name && field.value == value);
        found.unwrap_or_else(|| panic!("no box `{name}` of `{value}`")).is_sent = true;
        self
    }

    /// The value that would be sent for a field.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|field| field.name == name && field.is_sent).map(|field| field.value.as_str())
    }

    pub(crate) fn body(&self) -> String {
        let sent = self.fields.iter().filter(|field| field.is_sent);
        let pairs = sent.map(|field| (field.name.as_str(), field.value.as_str()));
        url::form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
    }
}

fn string(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}
