//! Publishing the documents of a check's project.

use super::context::Cx;
use crate::outcome::Stop;

impl Cx {
    /// Publishes the Content of the check's project, as a positive control: with the deployment's hook if the profile
    /// has one, else with `POST /publish`.
    ///
    /// # Errors
    ///
    /// Returns an error if that is not possible.
    pub async fn publish_content(&self) -> Result<(), Stop> {
        let hook = &self.profile().hooks.publish_content;
        if !hook.is_empty() {
            return self.hook("publish_content", hook, &[&self.lane().id]).await;
        }
        self.lane_hold().spend_publish()?;
        let answer = self.post("/publish").json(&self.profile().bodies.publish_content).send().await?;
        answer.control("POST /publish of Content").map(drop)
    }
}
