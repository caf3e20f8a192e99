//! Forms as pages show them: fields with labels, hints and faults, shown again with what was typed.

use l10n_formats::text::format::Value;
use maud::{Markup, Render, html};

use super::super::forms::{FieldErrors, Fields, FormError};
use super::super::visit::Visit;

/// A form that is being shown: what was typed, and what is wrong with it. For a form that is shown first, values come from
/// [`Field::initial`].
pub(in crate::http::dashboard) struct FormView<'a> {
    visit: &'a Visit,
    typed: &'a Fields,
    errors: &'a FieldErrors,
    /// Begins the ids of its fields, where a page has several forms.
    prefix: &'static str,
    is_first: bool,
    /// It filters a list: no field has to be filled in, and none says so.
    is_filter: bool,
}

impl<'a> FormView<'a> {
    /// The form of a visit: fresh after a GET, with what was typed after a POST.
    pub(in crate::http::dashboard) fn new(visit: &'a Visit, errors: &'a FieldErrors) -> Self {
        Self { visit, typed: &visit.form, errors, prefix: "", is_first: visit.form.is_empty(), is_filter: false }
    }

    /// One of several forms of a page, whose ids begin with `prefix`. `is_sent` says whether it is the one that was sent.
    pub(in crate::http::dashboard) fn one_of(
        visit: &'a Visit,
        errors: &'a FieldErrors,
        prefix: &'static str,
        is_sent: bool,
    ) -> Self {
        Self { prefix, is_first: !is_sent, ..Self::new(visit, errors) }
    }

    /// A form that filters, with what the query says.
    pub(in crate::http::dashboard) fn of_query(visit: &'a Visit, errors: &'a FieldErrors) -> Self {
        Self { typed: &visit.query, is_first: false, is_filter: true, ..Self::new(visit, errors) }
    }

    /// The summary of all faults, which the script focuses; empty where nothing is wrong.
    pub(in crate::http::dashboard) fn summary(&self) -> Markup {
        self.summary_titled("form.wrong")
    }

    /// The same under another title: the key of its text.
    pub(in crate::http::dashboard) fn summary_titled(&self, title: &str) -> Markup {
        if self.is_first || self.errors.is_empty() {
            return Markup::default();
        }
        html! {
            div.notice.bad role="alert" tabindex="-1" data-focus {
                p.notice-title { (self.visit.t(title)) }
                ul {
                    @for fault in self.errors.of_whole() { li { (self.words(fault)) } }
                    @for (field, fault) in self.errors.fields() {
                        li { a href={ "#" (self.id(field)) } { (self.words(fault)) } }
                    }
                }
            }
        }
    }

    /// A hidden field that says what the person was shown, so that what somebody else saves meanwhile is not undone. `now` is how
    /// it is now: a form that is shown again because of a fault keeps what it said, for the person has not seen anything newer.
    pub(in crate::http::dashboard) fn shown(&self, name: &str, now: &str) -> Markup {
        let value = if self.is_first || self.errors.has_moved() { now } else { self.typed.value(name) };
        html! { input type="hidden" name=(name) value=(value); }
    }

    /// A field: its name in the form, and the key of its label.
    pub(in crate::http::dashboard) fn field(&'a self, name: &'static str, label: &'static str) -> Field<'a> {
        Field {
            form: self,
            name,
            label: self.visit.t(label),
            hint: None,
            kind: ControlKind::Input("text"),
            initial: String::new(),
            is_required: !self.is_filter,
            autocomplete: None,
            longest: None,
            is_code: false,
        }
    }

    /// A checkbox with the value `value`, set first where `initial` says so. Several may bear one name.
    pub(in crate::http::dashboard) fn checkbox(
        &self,
        name: &'static str,
        value: &str,
        label: &str,
        hint: &str,
        initial: bool,
    ) -> Markup {
        let is_set = if self.is_first { initial } else { self.typed.all(name).any(|typed| typed == value) };
        self.choice("checkbox", name, value, label, hint, is_set)
    }

    /// A radio button with the value `value`, set first where `initial` says so.
    pub(in crate::http::dashboard) fn radio(
        &self,
        name: &'static str,
        value: &str,
        label: &str,
        hint: &str,
        initial: bool,
    ) -> Markup {
        let is_set = if self.is_first { initial } else { self.typed.value(name) == value };
        self.choice("radio", name, value, label, hint, is_set)
    }

    fn choice(&self, kind: &str, name: &str, value: &str, label: &str, hint: &str, is_set: bool) -> Markup {
        let id = format!("{}-{value}", self.id(name));
        let hint_id = format!("{id}-hint");
        html! {
            div.choice {
                input type=(kind) id=(id) name=(name) value=(value) checked[is_set]
                    aria-describedby=[(!hint.is_empty()).then_some(&hint_id)];
                label for=(id) { (label) }
                @if !hint.is_empty() { p.hint id=(hint_id) { (hint) } }
            }
        }
    }

    /// Several checkboxes or radio buttons under one heading, with the fault of `name` beside it.
    pub(in crate::http::dashboard) fn group(&self, name: &'static str, legend: &str, choices: &Markup) -> Markup {
        let (id, fault) = (self.id(name), self.fault(name));
        let fault_id = format!("{id}-fault");
        html! {
            fieldset id=(id) .wrong[fault.is_some()] aria-describedby=[fault.map(|_| &fault_id)] {
                legend { (legend) }
                @if let Some(fault) = fault { p.fault id=(fault_id) { (self.words(fault)) } }
                (choices)
            }
        }
    }

    /// The button that sends the form: the key of its text.
    pub(in crate::http::dashboard) fn submit(&self, text: &str) -> Markup {
        html! { div.form-end { button type="submit" { (self.visit.t(text)) } } }
    }

    fn fault(&self, name: &str) -> Option<&FormError> {
        self.errors.of(name).filter(|_| !self.is_first)
    }

    fn id(&self, name: &str) -> String {
        if self.prefix.is_empty() { format!("f-{name}") } else { format!("f-{}-{name}", self.prefix) }
    }

    fn words(&self, fault: &FormError) -> Markup {
        match fault {
            FormError::Text(key, n) => {
                let n = i64::try_from(n.unwrap_or_default()).unwrap_or(i64::MAX);
                html! { (self.visit.tf(key, &[("n", Value::Number(n))])) }
            }
            FormError::Said(words) => super::hostile::quoted(words),
        }
    }
}

/// The kind of control.
enum ControlKind {
    Input(&'static str),
    Lines(u8),
    Select(Vec<(String, String)>),
}

/// A field that is being described. It renders itself.
pub(in crate::http::dashboard) struct Field<'a> {
    form: &'a FormView<'a>,
    name: &'static str,
    label: String,
    hint: Option<String>,
    kind: ControlKind,
    initial: String,
    is_required: bool,
    autocomplete: Option<&'static str>,
    longest: Option<usize>,
    is_code: bool,
}

impl Field<'_> {
    /// A sentence below the label: the key of its text.
    pub(in crate::http::dashboard) fn hint(mut self, text: &str) -> Self {
        self.hint = Some(self.form.visit.t(text));
        self
    }

    /// A sentence below the label, with values in it.
    pub(in crate::http::dashboard) fn hint_said(self, hint: String) -> Self {
        Self { hint: Some(hint), ..self }
    }

    /// The `type` of the input, such as `email` or `password`.
    pub(in crate::http::dashboard) fn input(self, kind: &'static str) -> Self {
        Self { kind: ControlKind::Input(kind), ..self }
    }

    /// Several lines.
    pub(in crate::http::dashboard) fn lines(self, rows: u8) -> Self {
        Self { kind: ControlKind::Lines(rows), ..self }
    }

    /// A list of values with their words.
    pub(in crate::http::dashboard) fn select(self, options: Vec<(String, String)>) -> Self {
        Self { kind: ControlKind::Select(options), ..self }
    }

    /// The value that it has first.
    pub(in crate::http::dashboard) fn initial(self, value: impl Into<String>) -> Self {
        Self { initial: value.into(), ..self }
    }

    /// It may stay empty, and its label says so.
    pub(in crate::http::dashboard) fn optional(self) -> Self {
        Self { is_required: false, ..self }
    }

    /// The `autocomplete` that browsers and password managers know.
    pub(in crate::http::dashboard) fn autocomplete(self, token: &'static str) -> Self {
        Self { autocomplete: Some(token), ..self }
    }

    /// The most characters that a browser takes; the server counts by itself.
    pub(in crate::http::dashboard) fn longest(self, characters: usize) -> Self {
        Self { longest: Some(characters), ..self }
    }

    /// It takes names or codes rather than words.
    pub(in crate::http::dashboard) fn code(self) -> Self {
        Self { is_code: true, ..self }
    }

    /// The control. A browser does not check it (`novalidate` on forms): the server's words are better, and in one language.
    fn control(&self, id: &str, described: Option<&str>, is_wrong: bool) -> Markup {
        let is_secret = matches!(self.kind, ControlKind::Input("password"));
        let value = match () {
            () if is_secret => "",
            () if self.form.is_first => &self.initial,
            () => self.form.typed.value(self.name),
        };
        let invalid = is_wrong.then_some("true");
        let required = self.is_required.then_some("true");
        let spelling = self.is_code.then_some("false");
        let capitals = self.is_code.then_some("none");
        match &self.kind {
            ControlKind::Input(kind) => html! {
                input id=(id) type=(kind) name=(self.name) value=(value) .code[self.is_code] dir=[(!self.is_code).then_some("auto")]
                    maxlength=[self.longest] autocomplete=[self.autocomplete] aria-required=[required] aria-invalid=[invalid]
                    aria-describedby=[described] spellcheck=[spelling] autocapitalize=[capitals];
            },
            ControlKind::Lines(rows) => html! {
                textarea id=(id) name=(self.name) rows=(rows) .code[self.is_code] dir="auto" maxlength=[self.longest]
                    aria-required=[required] aria-invalid=[invalid] aria-describedby=[described] spellcheck=[spelling] {
                    // The first line end is the markup's own.
                    "\n" (value)
                }
            },
            ControlKind::Select(options) => html! {
                select id=(id) name=(self.name) aria-required=[required] aria-invalid=[invalid] aria-describedby=[described] {
                    @for (option, words) in options {
                        option value=(option) selected[option == value] { (words) }
                    }
                }
            },
        }
    }
}

impl Render for Field<'_> {
    fn render(&self) -> Markup {
        let id = self.form.id(self.name);
        let (hint_id, fault_id) = (format!("{id}-hint"), format!("{id}-fault"));
        let fault = self.form.fault(self.name);
        let described: Vec<&str> =
            [self.hint.is_some().then_some(hint_id.as_str()), fault.is_some().then_some(fault_id.as_str())]
                .into_iter()
                .flatten()
                .collect();
        let described = described.join(" ");
        let described = (!described.is_empty()).then_some(described.as_str());
        html! {
            div.field .wrong[fault.is_some()] {
                label for=(id) {
                    (self.label)
                    @if !self.is_required && !self.form.is_filter { " " span.optional { (self.form.visit.t("form.optional")) } }
                }
                @if let Some(hint) = &self.hint { p.hint id=(hint_id) { (hint) } }
                @if let Some(fault) = fault { p.fault id=(fault_id) { (self.form.words(fault)) } }
                (self.control(&id, described, fault.is_some()))
            }
        }
    }
}
